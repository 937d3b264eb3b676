import { describe, expect, it } from 'vitest';

import { splitRest } from '#command-line/parse-line';
import { UsageError } from '#command-line/usage-error';
import { parseArguments } from './parse-arguments.ts';
import { lineNouns } from './program-commands.ts';
import { messageOf } from '#system-errors/error-message';

function parse(line: string) {
  return parseArguments(line === '' ? [] : line.split(' '));
}

describe('parseArguments', () => {
  it.each([
    ['', 'help'],
    ['help', 'help'],
    ['--help', 'help'],
    ['-h', 'help'],
    ['help --help', 'help'],
    ['help help', 'help'],
    ['version', 'version'],
    ['--version', 'version'],
    ['-v', 'version'],
  ])('takes "%s" for %s', (line, kind) => {
    expect(parse(line)).toEqual({ kind });
  });

  it.each([
    ['serve --help', 'serve'],
    ['-h serve', 'serve'],
    ['serve --processes 8 --help', 'serve'],
    ['domain add --help', 'domain add'],
    ['domain add example.org --help', 'domain add'],
    ['domain --help', 'domain'],
    ['domain nonsense --help', 'domain'],
    ['help domain add', 'domain add'],
    ['help inbox', 'inbox'],
    ['inbox wait -h', 'inbox wait'],
  ])('takes "%s" for the help of %s', (line, of) => {
    expect(parse(line)).toEqual({ kind: 'help', of });
  });

  it('takes an option as its own command has it, which is a flag of another', () => {
    expect(parse('quickstart example.org --print folder --address 192.0.2.1 --address 2001:db8::1')).toEqual({
      kind: 'quickstart',
      domain: 'example.org',
      print: 'folder',
      address: '192.0.2.1,2001:db8::1',
    });
  });

  it.each(['nonsense --help', 'help nonsense'])('refuses "%s"', (line) => {
    expect(() => parse(line)).toThrow(new UsageError('There is no command "nonsense".'));
  });

  it('takes how many processes serve', () => {
    expect(parse('serve')).toEqual({ kind: 'serve' });
    expect(parse('serve --processes 8')).toEqual({ kind: 'serve', processes: 8 });
  });

  it.each([
    ['domain list', {}],
    ['domain add example.org', { name: 'example.org' }],
    ['domain add example.org --quarantine 0', { name: 'example.org', quarantine: 0 }],
    ['domain --quarantine=60 add a.b', { name: 'a.b', quarantine: 60 }],
    ['domain add a.b --quarantine 1d12h', { name: 'a.b', quarantine: 129_600 }],
    ['domain add a.b --refuse-dmarc-reject', { name: 'a.b', refuse_dmarc_reject: true }],
    ['domain add a.b --accept-dmarc-reject', { name: 'a.b', refuse_dmarc_reject: false }],
    ['domain add a.b --unknown accept-and-discard', { name: 'a.b', unknown: 'accept-and-discard' }],
    ['domain disable a.b', { name: 'a.b' }],
    ['domain remove a.b', { name: 'a.b' }],
    ['domain remove a.b --end-sessions', { name: 'a.b', end_sessions: true }],
    ['domain set a.b --plus off', { name: 'a.b', plus: 'off' }],
    ['domain check a.b', { name: 'a.b' }],
    ['key list', {}],
    ['key add shop', { name: 'shop' }],
    [
      'key add shop --scope create,gmail --scope webhook --rate 600',
      { name: 'shop', scopes: 'create,gmail,webhook', rate: 600 },
    ],
    ['key add ops --admin --scope read', { name: 'ops', admin: true, scopes: 'read' }],
    ['key revoke shop', { name: 'shop' }],
    ['session find', {}],
    ['session find fox@', { address: 'fox@' }],
    ['session end fox@a.b', { address: 'fox@a.b' }],
    ['block list', {}],
    ['block add sender a.b --note why', { kind: 'sender', value: 'a.b', note: 'why' }],
    ['block remove prefix a*', { kind: 'prefix', value: 'a*' }],
    ['settings', {}],
    ['gmail list', {}],
    ['gmail test a@gmail.com', { email: 'a@gmail.com' }],
    ['gmail disable a@gmail.com', { email: 'a@gmail.com' }],
    ['gmail remove a@gmail.com', { email: 'a@gmail.com' }],
    ['webhook dead list', {}],
    ['webhook dead replay 7', { id: '7' }],
    ['webhook dead replay all', { id: 'all' }],
  ])('takes "%s" for a command and its parameters', (line, given) => {
    const call = parse(line);
    if (call.kind !== 'operator') throw new Error('It is no operator command.');
    expect(line.replace(/ --quarantine=60/, '')).toMatch(new RegExp(`^${call.command.words}(?: |$)`));
    expect([call.given, call.files]).toEqual([given, {}]);
  });

  it('takes where `dev` listens, and what folder it keeps', () => {
    expect(parse('dev')).toEqual({ kind: 'dev' });
    expect(parse('dev --smtp-port 0 --http-port 80 --host ::1 --data here')).toEqual({
      kind: 'dev',
      smtp_port: 0,
      http_port: 80,
      host: '::1',
      data: 'here',
    });
    expect(() => parse('dev --smtp-port 65536')).toThrow('--smtp-port takes a number from 0 to 65535.');
    expect(() => parse('serve --smtp-port 25')).toThrow('--smtp-port belongs to `dev`.');
  });

  it.each([
    ['mailbox list', { kind: 'mailbox list' }],
    ['mailbox show 1a', { kind: 'mailbox show', id: '1a' }],
    ['backup folder', { kind: 'backup', folder: 'folder' }],
    ['restore folder', { kind: 'restore', folder: 'folder' }],
    ['copy --from sqlite:a', { kind: 'copy', from: 'sqlite:a' }],
    ['copy --from sqlite:a --to postgres://b', { kind: 'copy', from: 'sqlite:a', to: 'postgres://b' }],
  ])('takes "%s" for what the program does by itself', (line, command) => {
    expect(parse(line)).toEqual(command);
  });

  it('takes commands with a secret for parameters and the file that the secret is in', () => {
    expect(parse('gmail add a@gmail.com --password-file secret.txt')).toMatchObject({
      given: { email: 'a@gmail.com' },
      files: { password: 'secret.txt' },
    });
    const all =
      'gmail add a@b.c --oauth2-file token.json --host h --port 143 --security starttls --user u ' +
      '--inbox-folder In --spam-folder Junk';
    expect(parse(all)).toMatchObject({
      given: {
        email: 'a@b.c',
        host: 'h',
        port: 143,
        security: 'starttls',
        user: 'u',
        inbox_folder: 'In',
        spam_folder: 'Junk',
      },
      files: { oauth2: 'token.json' },
    });
    expect(parse('secret rotate --new-key-file new.key')).toMatchObject({ files: { new_key: 'new.key' } });
  });

  it.each([
    ['frobnicate', 'There is no command "frobnicate".'],
    ['__proto__', 'There is no command "__proto__".'],
    ['Serve', 'There is no command "Serve".'],
    ['serve now', '`serve` takes no arguments but --processes.'],
    ['serve --processes 0', '--processes takes a number from 1 to 64.'],
    ['domain list --processes 2', '--processes belongs to `serve`.'],
    ['version 2', '`version` takes no arguments.'],
    ['mailbox', '`mailbox` takes list, show ID or remove ID.'],
    ['mailbox list 1', '`mailbox` takes list, show ID or remove ID.'],
    ['backup', '`backup` takes one FOLDER.'],
    ['restore a b', '`restore` takes one FOLDER.'],
    ['backup a --end-sessions', '--end-sessions belongs to `domain remove` or `gmail remove`.'],
    ['copy', '--from takes sqlite:FOLDER, the data folder of the store to copy.'],
    ['copy --from a', '--from takes sqlite:FOLDER, the data folder of the store to copy.'],
    ['copy --from sqlite:a --to b', '--to takes the postgres:// URL of an empty database.'],
    ['copy a --from sqlite:a', '`copy` takes no arguments but --from and --to.'],
    ['webhook', '`webhook` takes dead list, dead replay ID or dead replay all.'],
    ['webhook dead replay some', '`webhook` takes dead list, dead replay ID or dead replay all.'],
    ['domain add a.b --unknown bounce', '--unknown takes reject or accept-and-discard.'],
    ['domain', '`domain` takes add NAME, set NAME, list, check NAME, disable NAME or remove NAME.'],
    ['domain show a.b', '`domain` takes add NAME, set NAME, list, check NAME, disable NAME or remove NAME.'],
    ['domain list a.b', '`domain` takes add NAME, set NAME, list, check NAME, disable NAME or remove NAME.'],
    ['domain set a.b --plus maybe', '--plus takes on or off.'],
    ['domain add', '`domain add` takes one NAME.'],
    ['domain add a.b c.d', '`domain add` takes one NAME.'],
    ['domain remove', '`domain remove` takes one NAME.'],
    ['serve --quarantine 5', '--quarantine belongs to `domain add`.'],
    ['domain list --quarantine 5', '--quarantine belongs to `domain add`.'],
    ['domain remove a.b --quarantine 5', '--quarantine belongs to `domain add`.'],
    ['domain disable a.b --refuse-dmarc-reject', '--refuse-dmarc-reject belongs to `domain add`.'],
    ['help --accept-dmarc-reject', '--accept-dmarc-reject belongs to `domain add`.'],
    [
      'domain add a.b --refuse-dmarc-reject --accept-dmarc-reject',
      '--refuse-dmarc-reject and --accept-dmarc-reject exclude each other.',
    ],
    ['key', '`key` takes add NAME, list, revoke NAME or link.'],
    ['key add', '`key` takes add NAME, list, revoke NAME or link.'],
    ['key list x', '`key` takes add NAME, list, revoke NAME or link.'],
    ['key add a --rate 0', '--rate takes calls a minute, from 1 to 1000000.'],
    ['key add a --rate 1e3', '--rate takes calls a minute, from 1 to 1000000.'],
    ['key revoke a --rate 5', '--rate belongs to `key add`.'],
    ['serve --admin', '--admin belongs to `key add`.'],
    ['domain add a.b --scope read', '--scope belongs to `key add`.'],
    ['key add a --note x', '--note belongs to `block add`.'],
    ['session', '`session` takes find [ADDRESS], domains or end ADDRESS.'],
    ['session end', '`session` takes find [ADDRESS], domains or end ADDRESS.'],
    ['session find a b', '`session` takes find [ADDRESS], domains or end ADDRESS.'],
    ['block add sender', '`block` takes list, or add or remove with sender, prefix or network and a VALUE.'],
    ['block', '`block` takes list, or add or remove with sender, prefix or network and a VALUE.'],
    ['settings all', '`settings` takes no arguments.'],
    [
      'domain add a.b --quarantine 1.5',
      '--quarantine takes a duration such as 30d, 12h, 1h30m or 45s, or whole seconds.',
    ],
    [
      'domain add a.b --quarantine=-5',
      '--quarantine takes a duration such as 30d, 12h, 1h30m or 45s, or whole seconds.',
    ],
    [
      'domain add a.b --quarantine=',
      '--quarantine takes a duration such as 30d, 12h, 1h30m or 45s, or whole seconds.',
    ],
    [
      'domain add a.b --quarantine 30days',
      '--quarantine takes a duration such as 30d, 12h, 1h30m or 45s, or whole seconds.',
    ],
    [
      'domain add a.b --quarantine 1000000000',
      '--quarantine takes a duration such as 30d, 12h, 1h30m or 45s, or whole seconds.',
    ],
    ['gmail', '`gmail` takes add EMAIL, list, test EMAIL, disable EMAIL, enable EMAIL or remove EMAIL.'],
    [
      'gmail list a@b.c',
      '`gmail` takes add EMAIL, list, test EMAIL, disable EMAIL, enable EMAIL or remove EMAIL.',
    ],
    ['gmail add', '`gmail add` takes one EMAIL.'],
    ['gmail test a@b.c d@e.f', '`gmail test` takes one EMAIL.'],
    ['gmail add a@b.c', '`gmail add` needs either --password-file FILE or --oauth2-file FILE.'],
    [
      'gmail add a@b.c --password-file x --oauth2-file y',
      '`gmail add` needs either --password-file FILE or --oauth2-file FILE.',
    ],
    ['gmail add a@b.c --password-file x --security ssl', '--security takes tls, starttls or none.'],
    ['gmail add a@b.c --password-file x --port 0', '--port takes a number from 1 to 65535.'],
    ['gmail add a@b.c --password-file x --port imap', '--port takes a number from 1 to 65535.'],
    ['gmail list --host x', '--host belongs to `gmail add`.'],
    ['domain add a.b --password-file x', '--password-file belongs to `gmail add`.'],
    ['gmail add a@b.c --password-file x --quarantine 1', '--quarantine belongs to `domain add`.'],
    ['gmail add a@b.c --password-file x --port 65536', '--port takes a number from 1 to 65535.'],
    ['secret', '`secret` takes rotate --new-key-file FILE.'],
    ['secret rotate', '`secret` takes rotate --new-key-file FILE.'],
    ['secret rotate now --new-key-file x', '`secret` takes rotate --new-key-file FILE.'],
    ['gmail list --new-key-file x', '--new-key-file belongs to `secret rotate`.'],
  ])('refuses "%s"', (line, message) => {
    expect(() => parse(line)).toThrow(new UsageError(message));
  });

  it.each([
    '--port 80',
    'serve -x',
    'domain add a.b --quarantine',
    'domain add a.b --quarantine -5',
    '--help=yes',
  ])('names what is wrong with "%s" in one line', (line) => {
    const caught = (() => {
      try {
        return parse(line);
      } catch (error) {
        return error;
      }
    })();
    expect(caught).toBeInstanceOf(UsageError);
    expect(messageOf(caught)).toMatch(/^.*(?:--port|-x|--quarantine|--help).*$/);
    expect(messageOf(caught)).not.toContain('\n');
  });
});

describe('splitRest', () => {
  it.each([
    ['dev -- npm test', ['dev'], ['npm', 'test']],
    ['dev --json -- npm test -- --watch', ['dev', '--json'], ['npm', 'test', '--', '--watch']],
    ['dev --json', ['dev', '--json'], undefined],
    ['domain remove -- -x', ['domain', 'remove', '--', '-x'], undefined],
  ])('separates "%s"', (line, own, rest) => {
    expect(splitRest(line.split(' '), lineNouns)).toEqual({ line: own, ...(rest ? { rest } : {}) });
  });

  it('refuses no command after the dashes', () => {
    expect(() => splitRest(['dev', '--'], lineNouns)).toThrow(
      new UsageError('`dev --` needs a command after it.'),
    );
  });
});
