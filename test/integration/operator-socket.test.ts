// Both ends of the socket in the data folder: the service, and the command line that calls it.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import type { Logger } from '#telemetry/logger';
import { callService } from '../../src/cli/call-service.ts';
import { serveOperatorSocket } from '../../src/http/admin/serve-operator-socket.ts';
import { operatorCommands } from '../../src/operator/commands.ts';
import type { OperatorDeps } from '../../src/service/operating/operator-deps.ts';
import { createGate } from '../support/gate.ts';
import { createOperatorDeps } from '../support/service/operator-fixture.ts';
import { createFolder, toContext } from '../support/service/operator-line.ts';
import { openServices } from '../support/service/service-fixture.ts';

const version = 'The running service does not know the command; is it a different version?';
const unread = 'The answer of the running service cannot be read; is it a different version?';

let folder: string;
let logged: [event: string, fields: unknown][];
const log: Logger = {
  debug: (event, fields) => logged.push([event, fields]),
  info: () => undefined,
  warn: (event, fields) => logged.push([event, fields]),
  error: (event, fields) => logged.push([event, fields]),
};

beforeEach(async () => {
  logged = [];
  folder = await createFolder();
});

function command(path: string) {
  const found = operatorCommands.find((one) => one.path === `/admin/${path}`);
  if (!found) throw new Error(`There is no ${path}.`);
  return found;
}

async function serve(given: Partial<OperatorDeps> = {}, dataDir = folder, aliveEveryMs?: number) {
  const services = await openServices();
  const operator = createOperatorDeps(services.store, given);
  const options = { ...toContext(operator), dataDir, log };
  const server = await serveOperatorSocket(
    aliveEveryMs === undefined ? options : { ...options, aliveEveryMs },
  );
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= server.close());
  onTestFinished(close);
  return { close, operator };
}

function listDomains(dataDir = folder): Promise<object | undefined> {
  return callService(dataDir, command('domains'), {});
}

/** Sends bytes and resolves with all data received until the other end closes. */
function speak(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection(join(folder, 'mayfly.sock'));
    let text = '';
    socket.setEncoding('utf8').on('data', (piece) => (text += String(piece)));
    socket
      .on('error', () => undefined)
      .on('close', () => {
        resolve(text);
      });
    socket.write(bytes);
  });
}

describe('a running service', () => {
  it('responds without a key, over a socket that only its owner can open', async () => {
    await serve();
    expect(
      await callService(folder, command('add-domain'), { name: 'B.example', quarantine: 5 }),
    ).toMatchObject({
      domain: 'b.example',
    });
    expect(await listDomains()).toMatchObject({ domains: [{ id: 1 }, { id: 2, quarantine_seconds: 5 }] });
    expect(statSync(join(folder, 'mayfly.sock')).mode & 0o777).toBe(0o600);
  });

  it('serves many at once, independently', async () => {
    await serve();
    const names = Array.from({ length: 50 }, (_, i) => `d${i}.example`);
    const answers = await Promise.all(
      names.map((name) => callService(folder, command('add-domain'), { name })),
    );
    expect(answers.map((answer) => (answer as { domain?: string }).domain)).toEqual(names);
  });

  it('reports a failure, and its cause in the log alone', async () => {
    await serve({ settings: undefined as never });
    await expect(callService(folder, command('settings'), {})).rejects.toThrow(
      'The service failed; its log says why.',
    );
    expect(logged).toContainEqual(['http.failed', expect.objectContaining({ route: '/admin/settings' })]);
  });

  it('logs no parameter of a command', async () => {
    await serve();
    await expect(
      callService(folder, command('add-gmail-account'), { email: 'a+b@gmail.com', password: 'hunter2' }),
    ).rejects.toThrow('cannot have aliases');
    await callService(folder, command('sessions'), { address: 'hunter2' });
    expect(JSON.stringify(logged)).toContain('/admin/sessions');
    expect(JSON.stringify(logged)).not.toContain('hunter2');
  });

  it('refuses unknown parameters and commands, as of another version', async () => {
    await serve();
    await expect(callService(folder, command('add-domain'), { name: 'a.b', later: 1 })).rejects.toThrow(
      'The running service does not know `later` of the command; is it a different version?',
    );
    await expect(callService(folder, command('sessions'), { later: 1 })).rejects.toThrow('`later`');
    await expect(callService(folder, { method: 'POST', path: '/admin/later' }, {})).rejects.toThrow(version);
  });

  it('informs an older command line, which speaks lines of JSON, in its own way', async () => {
    await serve();
    const answer = await speak('{"command":"domain-list"}\n');
    expect(JSON.parse(answer)).toEqual({ ok: false, message: version });
    expect(await listDomains()).toBeDefined();
  });

  it.each([
    'x\n',
    '\n\n\n\0',
    'GET / HTTP/9\r\n\r\n',
    'POST /admin/add-domain HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
  ])('answers %j with an error and survives', async (bytes) => {
    await serve();
    expect(await speak(bytes)).toMatch(/^HTTP\/1\.1 4/);
    expect(await listDomains()).toBeDefined();
  });

  it('refuses a body over a megabyte, and names wrong values', async () => {
    await serve();
    await expect(callService(folder, command('add-domain'), { name: 'x'.repeat(1_100_000) })).rejects.toThrow(
      /too large/i,
    );
    await expect(callService(folder, command('add-domain'), { name: 'a.b', quarantine: -1 })).rejects.toThrow(
      '`quarantine` must be',
    );
  });

  it('shows that a long command is in progress before it responds', async () => {
    const gate = createGate();
    const make = async () => {
      await gate.pass();
      return { file: '/copy', bytes: 1 };
    };
    await serve({ copy: { make } }, folder, 20);
    const answered = new Promise<[number[], number | undefined]>((resolve, reject) => {
      const seen: number[] = [];
      const socketPath = join(folder, 'mayfly.sock');
      const sent = request({ socketPath, method: 'POST', path: '/admin/copy-store' }, (response) => {
        response.resume();
        resolve([seen, response.statusCode]);
      });
      sent.on('information', ({ statusCode }) => {
        seen.push(statusCode);
        gate.open();
      });
      sent.on('error', reject).end();
    });
    const [seen, status] = await answered;
    expect(new Set(seen)).toEqual(new Set([102]));
    expect(status).toBe(200);
  });
});

describe('closing', () => {
  it('removes the socket and cuts connections without a request', async () => {
    const { close } = await serve();
    const idle = createConnection(join(folder, 'mayfly.sock'));
    await listDomains();
    const cut = new Promise((resolve) => idle.on('error', () => undefined).once('close', resolve));
    await close();
    await cut;
    expect(existsSync(join(folder, 'mayfly.sock'))).toBe(false);
    expect(await listDomains()).toBeUndefined();
  });

  it('completes a command in progress', async () => {
    const gate = createGate();
    const make = async () => {
      await gate.pass();
      return { file: '/copy', bytes: 1 };
    };
    const { close } = await serve({ copy: { make } });
    const asked = callService(folder, command('copy-store'), {});
    await gate.reached;
    const closed = close();
    gate.open();
    expect(await asked).toMatchObject({ file: '/copy' });
    await closed;
  });
});

describe('where nothing runs', () => {
  it.each(['an empty folder', 'no folder', 'a dead socket', 'another file'])(
    'with %s, there is no response',
    async (what) => {
      if (what === 'a dead socket') leaveDeadSocket();
      if (what === 'another file') writeFileSync(join(folder, 'mayfly.sock'), 'x');
      expect(await listDomains(what === 'no folder' ? join(folder, 'none') : folder)).toBeUndefined();
    },
  );

  it('a dead socket is replaced at the start', async () => {
    leaveDeadSocket();
    await serve();
    expect(await listDomains()).toBeDefined();
  });

  /** As a killed process leaves it. */
  function leaveDeadSocket(): void {
    const path = join(folder, 'mayfly.sock');
    const script =
      'require("node:net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))';
    expect(() => execFileSync(process.execPath, ['-e', script, path])).toThrow();
    expect(statSync(path).isSocket()).toBe(true);
  }
});

describe('a path', () => {
  it('may be long from the root if it is short from here', async () => {
    const deep = join(folder, 'd'.repeat(100));
    mkdirSync(deep);
    const before = process.cwd();
    process.chdir(deep);
    try {
      const { close } = await serve({}, deep);
      expect(await listDomains(deep)).toBeDefined();
      await close();
    } finally {
      process.chdir(before);
    }
  });

  it('too long for a socket is named at both ends, rather than cut', async () => {
    const deep = join(folder, 'd'.repeat(120));
    mkdirSync(deep);
    const message = `The path of the data folder ${deep} is too long for the control socket`;
    await expect(serve({}, deep)).rejects.toThrow(message);
    await expect(listDomains(deep)).rejects.toThrow(message);
  });
});

describe('a command’s response', () => {
  /** Listens in place of the service. */
  async function pretend(onConnection: (socket: Socket) => void): Promise<void> {
    const server = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          onConnection(socket);
        });
    });
    await new Promise<void>((resolve) => {
      server.listen(join(folder, 'mayfly.sock'), resolve);
    });
    onTestFinished(() => void server.close());
  }

  it.each([
    '{"ok":false,"message":"The running service does not know the command"}\n',
    'x\n',
    'HTTP/1.1 200 OK\r\n\r\n{}',
    'HTTP/1.1 200 OK\r\n\r\nnull',
    'HTTP/1.1 200 OK\r\n\r\nx',
    'HTTP/1.1 500 Oh\r\n\r\n[1]',
  ])('is invalid as %j', async (text) => {
    await pretend((socket) => void socket.end(text));
    await expect(listDomains()).rejects.toThrow(unread);
  });

  it('fails when the service hangs up', async () => {
    await pretend((socket) => void socket.end());
    await expect(listDomains()).rejects.toThrow('closed the connection before it answered');
  });

  it('fails when the service sends too much', async () => {
    await pretend((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const piece = Buffer.alloc(1024 * 1024);
      const more = (): void => void (socket.writable && socket.write(piece, more));
      more();
    });
    await expect(listDomains()).rejects.toThrow('too long');
  });
});
