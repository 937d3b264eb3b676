// Both ends of the control socket, over a real one in a temporary folder.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { createGate } from '../../test/support/gate.ts';
import type { Logger } from '../observe/logger.ts';
import { askRunningService } from './control-client.ts';
import { type ControlRequest, type ControlResponse, parseControlRequest } from './control-protocol.ts';
import { type ControlServer, createControlServer } from './control-server.ts';

let folder: string;
let logged: [event: string, fields: unknown][];

const log: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (event, fields) => logged.push([event, fields]),
  error: (event, fields) => logged.push([event, fields]),
};

beforeEach(async () => {
  logged = [];
  folder = await mkdtemp(join(tmpdir(), 'mayfly-control-'));
  return () => rm(folder, { recursive: true });
});

function echo(request: ControlRequest): Promise<ControlResponse> {
  return Promise.resolve({ ok: true, lines: [JSON.stringify(request), 'ünï\0code'] });
}

async function serve(execute = echo, dataDir = folder): Promise<ControlServer> {
  const server = await createControlServer({ dataDir, execute, log });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= server.close());
  onTestFinished(close);
  return { close };
}

function connect(): Socket {
  const socket = createConnection(join(folder, 'mayfly.sock'));
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}

/** Sends this and resolves with everything that comes until the service closes. */
function speak(bytes: string | Buffer, isLast = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect();
    let text = '';
    socket
      .on('error', () => undefined)
      .on('close', () => {
        resolve(text);
      });
    socket.setEncoding('utf8').on('data', (piece) => {
      text += String(piece);
    });
    if (isLast) socket.end(bytes);
    else socket.write(bytes);
  });
}

const unknownCommand = {
  ok: false,
  message: 'The running service does not know the command; is it of another version?',
};

describe('a running service', () => {
  it('answers a command, over a socket that only its owner can open', async () => {
    await serve();
    const request = { command: 'domain-add', name: 'bücher\u2028.example', quarantineSeconds: 5 } as const;
    expect(await askRunningService(folder, request)).toEqual({
      ok: true,
      lines: [JSON.stringify(request), 'ünï\0code'],
    });
    expect(statSync(join(folder, 'mayfly.sock')).mode & 0o777).toBe(0o600);
  });

  it('passes a refusal on', async () => {
    const refusal = { ok: false, message: 'There is no domain a.b.' } as const;
    await serve(() => Promise.resolve(refusal));
    expect(await askRunningService(folder, { command: 'domain-list' })).toEqual(refusal);
  });

  it('answers many at once, each its own', async () => {
    await serve();
    const names = Array.from({ length: 50 }, (_, i) => `d${i}.example`);
    const answers = await Promise.all(
      names.map((name) => askRunningService(folder, { command: 'domain-disable', name })),
    );
    expect(answers.map((answer) => JSON.parse(answer?.ok ? (answer.lines[0] ?? '') : ''))).toEqual(
      names.map((name) => ({ command: 'domain-disable', name })),
    );
  });

  it('says that it failed, and why in its log alone', async () => {
    await serve(() => Promise.reject(new Error('secret inside')));
    expect(await askRunningService(folder, { command: 'domain-list' })).toEqual({
      ok: false,
      message: 'The service failed; its log says why.',
    });
    expect(logged).toEqual([['control.failed', { error: new Error('secret inside') }]]);
  });

  it('answers a client that closes its side after asking', async () => {
    await serve(async (request) => {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      return echo(request);
    });
    expect(await speak('{"command":"domain-list"}\n', true)).toContain('"ok":true');
  });

  it('reads a line that comes in pieces, cut within a character, and drops what follows it', async () => {
    await serve();
    const line = Buffer.from('{"command":"domain-remove","name":"bü.example"}\n{"command":"domain-list"}\n');
    const at = line.indexOf(0xc3) + 1;
    const socket = connect();
    const answered = new Promise<string>((resolve) =>
      socket.once('data', (piece) => {
        resolve(piece.toString());
      }),
    );
    await new Promise<void>((resolve) =>
      socket.write(line.subarray(0, at), () => {
        resolve();
      }),
    );
    socket.write(line.subarray(at));
    expect(await answered).toContain('bü.example');
  });

  it.each([
    'x\n',
    '\n',
    '{"command":"domain-list"\n',
    'null\n',
    '[]\n',
    '"domain-list"\n',
    '{}\n',
    '{"command":"domain-rename","name":"a.b"}\n',
    '{"command":"__proto__"}\n',
    '{"command":"domain-add"}\n',
    '{"command":"domain-add","name":5}\n',
    '{"command":"domain-remove","name":null}\n',
    '{"command":"domain-add","name":"a.b","quarantineSeconds":-1}\n',
    '{"command":"domain-add","name":"a.b","quarantineSeconds":"5"}\n',
    '{"command":"domain-add","name":"a.b","quarantineSeconds":1.5}\n',
    '{"command":"domain-add","name":"a.b","refusesDmarcReject":1}\n',
  ])('refuses %j and lives', async (line) => {
    await serve();
    expect(JSON.parse(await speak(line))).toEqual(unknownCommand);
    expect((await askRunningService(folder, { command: 'domain-list' }))?.ok).toBe(true);
  });

  it('hangs up on a line over a megabyte, and on a client that goes before its line ends', async () => {
    await serve();
    expect(await speak(Buffer.alloc(1_200_000, 'x'))).toBe('');
    expect(await speak('{"command"', true)).toBe('');
    expect(await speak('', true)).toBe('');
    expect((await askRunningService(folder, { command: 'domain-list' }))?.ok).toBe(true);
    expect(logged.map(([event]) => event)).toEqual(Array(3).fill('control.broken_off'));
  });
});

describe('closing', () => {
  it('removes the socket and cuts those who have asked nothing', async () => {
    const server = await serve();
    const silent = connect();
    await askRunningService(folder, { command: 'domain-list' });
    const cut = new Promise((resolve) => silent.on('error', () => undefined).once('close', resolve));
    await server.close();
    await cut;
    expect(existsSync(join(folder, 'mayfly.sock'))).toBe(false);
    expect(await askRunningService(folder, { command: 'domain-list' })).toBeUndefined();
  });

  it('answers a command under way', async () => {
    const gate = createGate();
    const server = await serve(async () => {
      await gate.pass();
      return { ok: true, lines: ['done'] };
    });
    const asked = askRunningService(folder, { command: 'domain-list' });
    await gate.reached;
    const closed = server.close();
    gate.open();
    expect(await asked).toEqual({ ok: true, lines: ['done'] });
    await closed;
  });
});

describe('where nothing runs', () => {
  it.each(['an empty folder', 'no folder', 'a dead socket', 'another file'])(
    'with %s, nobody answers',
    async (what) => {
      if (what === 'a dead socket') leaveDeadSocket();
      if (what === 'another file') writeFileSync(join(folder, 'mayfly.sock'), 'x');
      const dataDir = what === 'no folder' ? join(folder, 'none') : folder;
      expect(await askRunningService(dataDir, { command: 'domain-list' })).toBeUndefined();
    },
  );

  it('a dead socket is replaced at the start', async () => {
    leaveDeadSocket();
    await serve();
    expect((await askRunningService(folder, { command: 'domain-list' }))?.ok).toBe(true);
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
  it('may be long from the root when it is short from here', async () => {
    const deep = join(folder, 'd'.repeat(100));
    mkdirSync(deep);
    const before = process.cwd();
    process.chdir(deep);
    try {
      await serve(echo, deep);
      expect((await askRunningService(deep, { command: 'domain-list' }))?.ok).toBe(true);
    } finally {
      process.chdir(before);
    }
  });

  it('too long for a socket is named at both ends, rather than cut', async () => {
    const deep = join(folder, 'd'.repeat(120));
    mkdirSync(deep);
    const message = `The path of the data folder ${deep} is too long for the control socket`;
    await expect(createControlServer({ dataDir: deep, execute: echo, log })).rejects.toThrow(message);
    await expect(askRunningService(deep, { command: 'domain-list' })).rejects.toThrow(message);
  });
});

describe('a command’s end', () => {
  /** Something else that listens in the service's place. */
  async function pretend(onConnection: (socket: Socket) => void): Promise<void> {
    const server = createServer(onConnection);
    await new Promise<void>((resolve) => {
      server.listen(join(folder, 'mayfly.sock'), resolve);
    });
    onTestFinished(() => void server.close());
  }

  it.each(['x\n', '{}\n', 'null\n', '[1]\n', '\n'])('takes %j for no answer', async (line) => {
    await pretend((socket) => void socket.end(line));
    await expect(askRunningService(folder, { command: 'domain-list' })).rejects.toThrow();
  });

  it('fails when the service hangs up, or says too much', async () => {
    let hangUp = (socket: Socket): void => void socket.end();
    await pretend((socket) => {
      socket.on('error', () => undefined);
      hangUp(socket);
    });
    await expect(askRunningService(folder, { command: 'domain-list' })).rejects.toThrow('closed before');
    hangUp = (socket) => void socket.write(Buffer.alloc(2_000_000, 'x'));
    await expect(askRunningService(folder, { command: 'domain-list' })).rejects.toThrow('too long');
  });
});

it('parseControlRequest keeps nothing but what a request has', () => {
  const line = '{"command":"domain-add","name":"a.b","quarantineSeconds":0,"constructor":1,"x":2}';
  expect(parseControlRequest(line)).toEqual({ command: 'domain-add', name: 'a.b', quarantineSeconds: 0 });
  expect(parseControlRequest('{"command":"domain-list","name":"a.b"}')).toEqual({ command: 'domain-list' });
});
