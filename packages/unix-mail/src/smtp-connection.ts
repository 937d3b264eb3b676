// One connection by which sendmail speaks SMTP to the service on the same machine, so without TLS.

import { once } from 'node:events';
import net, { type Socket } from 'node:net';

import { SendmailError, type Sysexit, sysexits } from './sysexits.ts';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** To authenticate with. */
  readonly login?: { readonly user: string; readonly password: string } | undefined;
}

export interface SmtpReply {
  readonly code: number;
  readonly lines: readonly string[];
}

/** How long the server may be silent when it is asked. */
const silenceMs = 60_000;
const replyMaxChars = 64 * 1024;
const clientName = 'localhost';

export class SmtpConnection {
  readonly #socket: Socket;
  #received = '';
  #failure: unknown;
  #isEnded = false;
  #extensions: readonly string[] = [];
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.#received += bytes.toString('latin1');
      this.#wake();
    });
    socket.on('error', (error) => (this.#failure = error));
    socket.on('timeout', () => socket.destroy(new Error('The server does not answer.')));
    socket.on('close', () => {
      this.#isEnded = true;
      this.#wake();
    });
  }

  static async open({ host, port }: SmtpServer): Promise<SmtpConnection> {
    const socket = net.connect(port, host);
    try {
      await once(socket, 'connect');
    } catch (cause) {
      throw new SendmailError(sysexits.temporary, `Nothing answers at ${host}:${port}.`, { cause });
    }
    return new SmtpConnection(socket);
  }

  /** Returns the server's greeting. @throws SendmailError */
  async greet(login: SmtpServer['login']): Promise<SmtpReply> {
    const greeting = requireSuccess(await this.readReply());
    const { lines } = await this.ask(`EHLO ${clientName}`);
    this.#extensions = lines.slice(1).map((line) => line.slice(4).split(' ', 1)[0]?.toUpperCase() ?? '');
    if (login) {
      const secret = Buffer.from(`\0${login.user}\0${login.password}`).toString('base64');
      await this.ask(`AUTH PLAIN ${secret}`, sysexits.noPermission);
    }
    return greeting;
  }

  offers(extension: string): boolean {
    return this.#extensions.includes(extension);
  }

  /** @param refused the status of a refusal that lasts. @throws SendmailError */
  async ask(line: string, refused: Sysexit = sysexits.unavailable): Promise<SmtpReply> {
    this.write(`${line}\r\n`);
    return requireSuccess(await this.readReply(), refused);
  }

  /** Latin-1: one character a byte. */
  write(text: string): boolean {
    return this.#socket.write(text, 'latin1');
  }

  /** Resolves when the server takes more; a broken connection shows in the next reply. */
  async writeAll(text: string): Promise<void> {
    if (this.write(text) || this.#isEnded) return;
    await new Promise<void>((resolve) => {
      const goOn = (): void => {
        this.#socket.off('drain', goOn).off('close', goOn);
        resolve();
      };
      this.#socket.on('drain', goOn).on('close', goOn);
    });
  }

  /** Returns the next reply, a refusal too. @throws SendmailError when there is none */
  async readReply(): Promise<SmtpReply> {
    this.#socket.setTimeout(silenceMs);
    for (;;) {
      const reply = this.#takeReply();
      // A program that asks may take its time.
      if (reply) this.#socket.setTimeout(0);
      if (reply) return reply;
      if (this.#isEnded || this.#received.length > replyMaxChars) {
        const cause = this.#failure;
        throw new SendmailError(sysexits.temporary, 'The server ended the connection.', { cause });
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Returns undefined before its last line has come. */
  #takeReply(): SmtpReply | undefined {
    const last = /^\d{3}(?: [^\n]*)?\r?\n/m.exec(this.#received);
    if (!last) return undefined;
    const end = last.index + last[0].length;
    const lines = this.#received.slice(0, end).trimEnd().split(/\r?\n/);
    this.#received = this.#received.slice(end);
    return { code: Number(last[0].slice(0, 3)), lines };
  }

  end(): void {
    this.#socket.end('QUIT\r\n');
  }

  /** Closes it at once: a message that was not sent to its end is dropped. */
  close(): void {
    this.#socket.destroy();
  }
}

/** @throws SendmailError when it is a refusal; `refused` is the status of one that lasts */
function requireSuccess(reply: SmtpReply, refused: Sysexit = sysexits.unavailable): SmtpReply {
  if (reply.code < 400) return reply;
  const status = reply.code < 500 ? sysexits.temporary : refused;
  throw new SendmailError(status, `The server answered ${reply.lines.at(-1) ?? ''}`);
}
