#!/usr/bin/env python3
"""systemctl for a namespace in which systemd cannot run: starts the units that it is named as their files say, sockets
included. Whatever else units can say is not followed here."""
import fnmatch
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time

state = '/run/units'
folders = ['/etc/systemd/system', '/usr/lib/systemd/system']


def read_unit(unit):
    for folder in folders:
        path = os.path.join(folder, unit)
        if os.path.exists(path):
            lines = [line.strip() for line in open(path) if '=' in line and not line.startswith('#')]
            return [line.split('=', 1) for line in lines]
    sys.exit(f'Unit {unit} not found.')


def values(unit, name):
    return [value for key, value in read_unit(unit) if key == name]


def mark(unit, kind, content='', on=True):
    path = os.path.join(state, f'{unit}.{kind}')
    if on:
        open(path, 'w').write(content)
    elif os.path.exists(path):
        os.remove(path)


def is_marked(unit, kind):
    path = os.path.join(state, f'{unit}.{kind}')
    if not os.path.exists(path):
        return False
    content = open(path).read()
    # A service is active as long as its process lives.
    return content == '' or os.path.exists(f'/proc/{content}')


def words_of(line):
    return shlex.split(line.lstrip('-').replace('%%', '%').replace('$$', '$'))


def environment_of(unit):
    env = {'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'}
    for line in values(unit, 'EnvironmentFile'):
        path = line.lstrip('-')
        for one in open(path) if os.path.exists(path) else []:
            if re.match(r'[A-Z]', one):
                name, value = one.rstrip('\n').split('=', 1)
                env[name] = ''.join(shlex.split(value))
    for line in values(unit, 'Environment'):
        env.update(pair.split('=', 1) for pair in shlex.split(line))
    return env


def listen(unit):
    held = socket.socket(socket.AF_INET6)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(('::', int(values(unit, 'ListenStream')[0])))
    held.listen(1024)
    return held


def start_service(unit):
    if values(unit, 'Type') == ['oneshot']:
        for line in values(unit, 'ExecStartPre') + values(unit, 'ExecStart'):
            if subprocess.run(words_of(line), env=environment_of(unit), stdin=subprocess.DEVNULL).returncode != 0:
                sys.exit(f'Job for {unit} failed.')
        return
    wanted = sorted(one[: -len('.active')] for one in os.listdir(state) if one.endswith('.socket.active'))
    own = [one for one in wanted if values(one, 'Service') == [unit]]
    if os.fork() > 0:
        deadline = time.time() + 10
        while not is_marked(unit, 'active') and time.time() < deadline:
            time.sleep(0.01)
        return
    os.setsid()
    sockets = [listen(one) for one in own]
    env = environment_of(unit)
    names = [values(one, 'FileDescriptorName')[0] for one in own]
    env.update(LISTEN_FDS=str(len(own)), LISTEN_FDNAMES=':'.join(names), LISTEN_PID=str(os.getpid()))
    copies = [os.dup(one.fileno()) for one in sockets]
    log = os.open('/run/units/service.log', os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(os.open('/dev/null', os.O_RDONLY), 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    high = [os.dup2(one, 100 + at) for at, one in enumerate(copies)]
    for at, one in enumerate(high):
        os.dup2(one, 3 + at)
    os.closerange(3 + len(own), 200)
    mark(unit, 'active', str(os.getpid()))
    user = values(unit, 'User')[0]
    for name in values(unit, 'StateDirectory'):
        mode = (values(unit, 'StateDirectoryMode') or ['0755'])[0]
        subprocess.run(['install', '-d', '-o', user, '-g', user, '-m', mode, f'/var/lib/{name}'], check=True)
    os.execve('/usr/bin/setpriv', ['setpriv', '--reuid', user, '--regid', user, '--init-groups', *words_of(values(unit, 'ExecStart')[0])], env)


def stop(unit):
    path = os.path.join(state, f'{unit}.active')
    pid = open(path).read() if os.path.exists(path) else ''
    if pid != '' and os.path.exists(f'/proc/{pid}'):
        os.kill(int(pid), signal.SIGTERM)
        deadline = time.time() + 40
        while os.path.exists(f'/proc/{pid}') and time.time() < deadline:
            time.sleep(0.02)
    mark(unit, 'active', on=False)


def named(word):
    """A pattern stands for the active units that it matches."""
    if '*' not in word:
        return [word if '.' in word else f'{word}.service']
    active = [one[: -len('.active')] for one in os.listdir(state) if one.endswith('.active')]
    return fnmatch.filter(active, word)


def start(unit):
    if unit.endswith('.service'):
        if os.path.exists('/run/units/refuse') and unit == 'mayfly.service':
            sys.exit('Job for mayfly.service failed.')
        start_service(unit)
    else:
        read_unit(unit)
        mark(unit, 'active')


os.makedirs(state, exist_ok=True)
verb, *words = [word for word in sys.argv[1:] if not word.startswith('--')]
units = [unit for word in words for unit in named(word)]
if verb == 'is-active':
    sys.exit(0 if all(is_marked(unit, 'active') for unit in units) else 3)
if verb == 'is-enabled':
    sys.exit(0 if all(is_marked(unit, 'enabled') for unit in units) else 1)
for unit in units:
    if verb in ('enable', 'disable'):
        read_unit(unit)
        mark(unit, 'enabled', on=verb == 'enable')
    if verb == 'try-restart' and not is_marked(unit, 'active'):
        continue
    if verb in ('restart', 'try-restart') or (verb in ('disable', 'stop') and '--now' in sys.argv):
        stop(unit)
    if verb in ('start', 'restart', 'try-restart') or (verb == 'enable' and '--now' in sys.argv):
        if not (verb == 'start' and is_marked(unit, 'active')):
            start(unit)
    if verb == 'show':
        path = os.path.join(state, f'{unit}.active')
        print(f'ActiveEnterTimestamp=@{int(os.stat(path).st_mtime) if os.path.exists(path) else 0}')
