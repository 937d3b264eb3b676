// The SMTP engine in a small test world: recipients whose names determine their outcome, and a list of accepted
// messages. Without sockets or waiting.

import type { Address } from '#mail-receiver/address';
import { accepted, replies, type Reply } from '#mail-receiver/reply';
import type { EngineMessage, RefusedMessage, SmtpEngineSettings } from '#mail-receiver/engine-step';
import { MessageBuffer } from '#mail-receiver/message-buffer';
import { SmtpEngine } from '#mail-receiver/smtp-engine';
import type { Peer } from './play-transcript.ts';

export const engineSettings: SmtpEngineSettings = {
  hostname: 'mx.test',
  messageMaxBytes: 36 * 1024 * 1024,
  recipientsMax: 100,
  offersTls: false,
  offersAuth: undefined,
  bareLineFeed: 'refuse',
  badCommandsMax: Infinity,
  unknownRecipientsMax: Infinity,
};

export type TakenMessage = Omit<EngineMessage<string>, 'raw'> & { readonly text: string };

function answerFor({ localPart, domain }: Address): { recipient: string } | { refusal: Reply } {
  if (domain !== 'us.test') return { refusal: replies.relayDenied };
  if (localPart.startsWith('unknown')) return { refusal: replies.unknownRecipient };
  if (localPart.startsWith('full')) return { refusal: replies.recipientFull };
  return { recipient: localPart };
}

export class EnginePeer implements Peer {
  readonly engine: SmtpEngine<string>;
  readonly taken: TakenMessage[] = [];
  readonly refused: RefusedMessage<string>[] = [];
  /** Credentials received; `user` and `pass` are right. */
  readonly logins: { readonly username: string; readonly password: string }[] = [];
  /** The replies to the next messages, transactions and bodies; the latter two are accepted when undefined. */
  answer: Reply = accepted('id');
  transactionRefusal: Reply | undefined;
  bodyRefusal: Reply | undefined;
  isClosed = false;
  #lines: string[] = [];

  constructor(settings: Partial<SmtpEngineSettings> = {}) {
    this.engine = new SmtpEngine({ ...engineSettings, ...settings });
    this.#run();
  }

  send(bytes: Buffer): void {
    if (this.isClosed) return;
    this.engine.push(Buffer.from(bytes));
    this.#run();
  }

  /** Sends text unchanged and returns all reply lines since the last call. */
  say(text: string): string[] {
    this.send(Buffer.from(text, 'latin1'));
    return this.takeLines();
  }

  /** Returns the codes of the replies to these lines, e.g. `250 2.1.0`. */
  codes(...lines: readonly string[]): string[] {
    return this.say(lines.map((line) => `${line}\r\n`).join(''))
      .filter((line) => line[3] === ' ')
      .map((line) => /^\d{3}(?: \d\.\d+\.\d+(?= ))?/.exec(line)?.[0] ?? line);
  }

  takeLines(): string[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  readLine(): Promise<string> {
    const line = this.#lines.shift();
    return line === undefined ? Promise.reject(new Error('No more replies.')) : Promise.resolve(line);
  }

  /** Disconnects the client. */
  lose(): void {
    this.engine.close(replies.connectionLost);
    this.#run();
  }

  #run(): void {
    for (;;) {
      const step = this.engine.step();
      this.#lines.push(...this.engine.takeOutput().split('\r\n').slice(0, -1));
      switch (step.kind) {
        case 'input':
          return;
        case 'turn':
          break;
        case 'close':
          this.isClosed = true;
          return;
        case 'transaction':
          this.engine.answerTransaction(this.transactionRefusal && { refusal: this.transactionRefusal });
          break;
        case 'body':
          this.engine.answerBody(
            this.bodyRefusal ? { refusal: this.bodyRefusal } : { body: new MessageBuffer() },
          );
          break;
        case 'auth':
          this.logins.push({ username: step.username, password: step.password });
          this.engine.answerAuth(
            step.username === 'user' && step.password === 'pass'
              ? undefined
              : { refusal: replies.wrongCredentials },
          );
          break;
        case 'tls':
          this.engine.answerTls();
          break;
        case 'refused':
          this.refused.push(step);
          break;
        case 'recipient':
          this.engine.answerRecipient(answerFor(step.address));
          break;
        case 'message': {
          const { raw, rcptTo, ...others } = step.message;
          const text = Buffer.concat([...raw.pieces()]).toString('latin1');
          this.taken.push({ ...others, rcptTo: [...rcptTo], text });
          this.engine.answerMessage(this.answer);
        }
      }
    }
  }
}

/** Returns a peer in the state that these lines lead to. */
export function peerAfter(...lines: readonly string[]): EnginePeer {
  const peer = new EnginePeer();
  peer.takeLines();
  for (const line of lines) peer.codes(line);
  return peer;
}

export function peerInData(): EnginePeer {
  return peerAfter('EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>', 'DATA');
}
