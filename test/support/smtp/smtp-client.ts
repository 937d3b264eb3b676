// A minimal SMTP client for tests: sends exactly what it is given, right or wrong, and reads lines. It keeps its side
// open until it is closed explicitly, so that tests can be half-closed peers. Closed when the test ends.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { onTestFinished } from 'vitest';

import type { Peer } from './play-transcript.ts';

export class SmtpClient implements Peer {
  readonly socket: Socket;
  /** Resolves when the first bytes have arrived, or never will. */
  readonly greeted: Promise<void>;
  /** Resolves with all unread lines, when the server has closed its side or the connection is gone. */
  readonly closed: Promise<string[]>;
  #text = '';
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#text += text;
      this.#wake();
    });
    this.greeted = new Promise((resolve) => {
      socket.once('data', () => {
        resolve();
      });
      socket.once('close', resolve);
    });
    this.closed = new Promise((resolve) => {
      const end = (): void => {
        this.#isOver = true;
        this.#wake();
        resolve(this.takeLines());
      };
      socket.once('end', end);
      socket.once('close', end);
      // A server may end with a reset; `close` follows.
      socket.on('error', end);
    });
  }

  send(bytes: Buffer | string): void {
    this.socket.write(bytes);
  }

  /** Returns the lines received but not read. */
  takeLines(): string[] {
    const lines = this.#text.split('\r\n');
    this.#text = lines.pop() ?? '';
    return lines;
  }

  async readLine(): Promise<string> {
    for (;;) {
      const end = this.#text.indexOf('\r\n');
      if (end >= 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return line;
      }
      if (this.#isOver) throw new Error('The server closed the connection.');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Returns the last line of the next reply. */
  async readReply(): Promise<string> {
    for (;;) {
      const line = await this.readLine();
      if (line[3] !== '-') return line;
    }
  }

  async command(line: string): Promise<string> {
    this.send(`${line}\r\n`);
    return this.readReply();
  }

  /** Sends MAIL, RCPT and DATA, up to 354. Returns the replies. */
  async startData(...recipients: readonly string[]): Promise<string[]> {
    const replies = [await this.command('MAIL FROM:<sender@client.test>')];
    for (const recipient of recipients) replies.push(await this.command(`RCPT TO:<${recipient}>`));
    return [...replies, await this.command('DATA')];
  }

  /** Runs a whole transaction; returns the last reply. */
  async deliver(text: string, ...recipients: readonly string[]): Promise<string> {
    await this.startData(...recipients);
    this.send(`${text}.\r\n`);
    return this.readReply();
  }
}

/** Sends as mail servers do, stopping at the first refusal. Returns that refusal, or the last reply. */
export async function sendMail(client: SmtpClient, text: string, recipient: string): Promise<string> {
  const commands = ['MAIL FROM:<sender@client.test>', `RCPT TO:<${recipient}>`, 'DATA'];
  for (const command of commands) {
    const reply = await client.command(command);
    if (!/^[23]/.test(reply)) return reply;
  }
  client.send(`${text}.\r\n`);
  return client.readReply();
}

export async function connectTo(port: number): Promise<SmtpClient> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.setNoDelay(true);
  await once(socket, 'connect');
  onTestFinished(() => {
    socket.destroy();
  });
  return new SmtpClient(socket);
}

/** Connects and reads the greeting. Retries, as mail servers do, when a busy machine refuses it. */
export async function connectGreeted(port: number): Promise<{ client: SmtpClient; greeting: string }> {
  for (const until = performance.now() + 30_000; ; await delay(100)) {
    const client = await connectTo(port);
    const greeting = await client.readReply();
    if (!greeting.startsWith('421 4.3.2 Overloaded') || performance.now() > until) {
      return { client, greeting };
    }
    client.socket.destroy();
  }
}

/** Connects, and sends EHLO after the greeting. */
export async function greet(port: number): Promise<SmtpClient> {
  const { client, greeting } = await connectGreeted(port);
  if (!greeting.startsWith('220 ')) throw new Error(`The greeting is ${greeting}`);
  await client.command('EHLO client.test');
  return client;
}
