// Delivers one mail to a mail server over SMTP (RFC 5321), as a sender on the Internet would: by STARTTLS where it is
// offered, whatever the certificate. For the operator's own server alone.

import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { codeOf } from '../../system-errors/src/error-code.ts';
import { messageOf } from '../../system-errors/src/error-message.ts';

export interface MailGiven {
  readonly address: string;
  readonly port?: number;
  /** As which to introduce oneself. */
  readonly name: string;
  readonly to: string;
  /** Header and body, with CRLF. */
  readonly message: string;
  readonly timeoutMs?: number;
}

/** The server's refusal, or why there was no answer, in one line. */
export class SendFailed extends Error {
  override readonly name = 'SendFailed';
}

const replyMaxBytes = 16 * 1024;

/** Resolves when the server has taken the mail. @throws SendFailed */
export async function sendMail(given: MailGiven): Promise<void> {
  const { address, port = 25, name, to, message, timeoutMs = 30_000 } = given;
  const plain = new Dialogue(connect({ host: address, port }));
  const timer = setTimeout(() => {
    plain.fail('no answer in time');
  }, timeoutMs);
  try {
    await plain.expect('220');
    const offered = await plain.ask(`EHLO ${name}`, '250');
    const dialogue = /^250[ -]STARTTLS\s*$/im.test(offered) ? await startTls(plain, name) : plain;
    await dialogue.ask('MAIL FROM:<>', '250');
    await dialogue.ask(`RCPT TO:<${to}>`, '250');
    await dialogue.ask('DATA', '354');
    await dialogue.ask(`${message.replaceAll(/^\./gm, '..')}\r\n.`, '250');
    await dialogue.ask('QUIT', '221');
  } catch (error) {
    throw new SendFailed(`Port ${port} of ${address}: ${messageOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    plain.socket.destroy();
  }
}

async function startTls(plain: Dialogue, name: string): Promise<Dialogue> {
  await plain.ask('STARTTLS', '220');
  const encrypted = new Dialogue(connectTls({ socket: plain.socket, rejectUnauthorized: false }));
  await encrypted.ask(`EHLO ${name}`, '250');
  return encrypted;
}

class Dialogue {
  readonly socket: Socket;
  #text = '';
  #failure: string | undefined;
  #wake: () => void = () => undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.#text += bytes.toString('latin1');
      if (this.#text.length > replyMaxBytes) this.fail('the reply is too long');
      this.#wake();
    });
    socket.on('error', (error) => {
      this.fail(codeOf(error) ?? error.message);
    });
    socket.on('close', () => {
      this.fail('the server closed the connection');
    });
  }

  /** Only the first reason is kept. */
  fail(reason: string): void {
    this.#failure ??= reason;
    this.socket.destroy();
    this.#wake();
  }

  ask(command: string, code: string): Promise<string> {
    this.socket.write(`${command}\r\n`);
    return this.expect(code);
  }

  /** Resolves with the next reply, in all its lines. */
  async expect(code: string): Promise<string> {
    for (;;) {
      const [reply] = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\r?\n/.exec(this.#text) ?? [];
      if (reply !== undefined) {
        this.#text = this.#text.slice(reply.length);
        if (reply.startsWith(code)) return reply;
        throw new Error(`it replied ${reply.trim().slice(0, 200)}`);
      }
      if (this.#failure !== undefined) throw new Error(`${this.#failure}.`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
