// Sends one message over SMTP, or passes a dialogue on, for sendmail: to the service on the same machine, so without TLS.

// Sends one message over SMTP, or passes a dialogue on, for sendmail: to the service on the same machine, so without TLS.

import { once } from 'node:events';
import net, { type Socket } from 'node:net';

import type { Submission } from './sendmail-message.ts';
import { SendmailError, type Sysexit, sysexits } from './sysexits.ts';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** To authenticate with. */
  readonly login?: { readonly user: string; readonly password: string } | undefined;
}

interface Reply {
  readonly code: number;
  readonly lines: readonly string[];
}

/** How long the server may be silent. */
const silenceMs = 60_000;
const replyMaxChars = 64 * 1024;
const clientName = 'localhost';

/** @throws SendmailError when it was not accepted */
export async function submit(server: SmtpServer, submission: Submission): Promise<void> {
  const connection = await Connection.open(server);
  try {
    await connection.greet(server.login);
    const { sender, recipients, message } = submission;
    await connection.ask(`MAIL FROM:<${sender}>${connection.parametersFor(submission)}`);
    for (const recipient of recipients) await connection.ask(`RCPT TO:<${recipient}>`, sysexits.noUser);
    await connection.ask('DATA');
    await connection.ask(`${stuffDots(message)}.`);
  } finally {
    connection.end();
  }
}

/** Passes SMTP between the streams and the server, already authenticated. @throws SendmailError */
export async function passDialogue(
  server: SmtpServer,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<void> {
  const connection = await Connection.open(server);
  const greeting = await connection.greet(server.login);
  output.write(`${greeting.lines.join('\r\n')}\r\n`);
  await connection.pass(input, output);
}

class Connection {
  readonly #socket: Socket;
  #received = '';
  #failure: unknown;
  #isEnded = false;
  #extensions: readonly string[] = [];
  #wake: () => void = () => undefined;
  readonly #take = (bytes: Buffer): void => {
    this.#received += bytes.toString('latin1');
    this.#wake();
  };

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', this.#take);
    socket.on('error', (error) => (this.#failure = error));
    socket.on('close', () => {
      this.#isEnded = true;
      this.#wake();
    });
  }

  static async open({ host, port }: SmtpServer): Promise<Connection> {
    const socket = net.connect(port, host);
    socket.setTimeout(silenceMs, () => socket.destroy(new Error('The server does not answer.')));
    try {
      await once(socket, 'connect');
    } catch (cause) {
      throw new SendmailError(sysexits.temporary, `Nothing answers at ${host}:${port}.`, { cause });
    }
    return new Connection(socket);
  }

  /** Returns the server's greeting. */
  async greet(login: SmtpServer['login']): Promise<Reply> {
    const greeting = await this.#reply(sysexits.unavailable);
    const { lines } = await this.ask(`EHLO ${clientName}`);
    this.#extensions = lines.slice(1).map((line) => line.slice(4).split(' ', 1)[0]?.toUpperCase() ?? '');
    if (login) {
      const secret = Buffer.from(`\0${login.user}\0${login.password}`).toString('base64');
      await this.ask(`AUTH PLAIN ${secret}`, sysexits.noPermission);
    }
    return greeting;
  }

  /** @param refused the status of a refusal that lasts. @throws SendmailError */
  async ask(line: string, refused: Sysexit = sysexits.unavailable): Promise<Reply> {
    this.#socket.write(`${line}\r\n`, 'latin1');
    return this.#reply(refused);
  }

  parametersFor({ sender, recipients, message }: Submission): string {
    const isWide = [sender, ...recipients].some((address) => /[^\x00-\x7f]/.test(address));
    const offers = (extension: string): boolean => this.#extensions.includes(extension);
    const parameters = [
      ...(offers('SIZE') ? [`SIZE=${message.length}`] : []),
      ...(offers('8BITMIME') ? ['BODY=8BITMIME'] : []),
      ...(isWide && offers('SMTPUTF8') ? ['SMTPUTF8'] : []),
    ];
    return parameters.map((one) => ` ${one}`).join('');
  }

  async #reply(refused: Sysexit): Promise<Reply> {
    for (;;) {
      const reply = this.#takeReply();
      if (reply && reply.code < 400) return reply;
      if (reply) {
        const status = reply.code < 500 ? sysexits.temporary : refused;
        throw new SendmailError(status, `The server answered ${reply.lines.at(-1) ?? ''}`);
      }
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
  #takeReply(): Reply | undefined {
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

  async pass(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<void> {
    const socket = this.#socket;
    socket.off('data', this.#take);
    socket.on('data', (bytes: Buffer) => output.write(bytes));
    output.write(Buffer.from(this.#received, 'latin1'));
    // A program that leaves without QUIT has not heard the replies to what it wrote, but the server has to.
    input.pipe(socket, { end: false });
    input.once('end', () => socket.write('QUIT\r\n'));
    if (!this.#isEnded) await new Promise((resolve) => socket.once('close', resolve));
    const cause = this.#failure;
    if (cause !== undefined) throw new SendmailError(sysexits.temporary, 'The connection broke.', { cause });
  }
}

/** RFC 5321 §4.5.2; ends with a line end. */
function stuffDots(message: Buffer): string {
  const text = message.toString('latin1').replace(/(^|\r\n)\./g, '$1..');
  return text.endsWith('\r\n') ? text : `${text}\r\n`;
}
