// An SMTP connection like smtp-source's: HELO, MAIL, RCPT, DATA and the message, waiting for each reply, without
// pipelining (RFC 5321 §4.1). Used by smtp-driver.ts, and by measurements that need mail.
import type { Login } from './driver-job.ts';
import { openReplySocket } from './reply-socket.ts';

export interface SmtpClient {
  /**
   * Sends one message, which ends in CRLF and has no line that starts with a dot.
   * @returns ms between the end of data and the 250
   * @throws Error on any unexpected reply
   */
  deliver(rcptTo: string, message: Uint8Array): Promise<number>;
  /** Sends QUIT and waits for the reply and the end of the connection. */
  quit(): Promise<void>;
}

/** Appends the end-of-data mark, so that message and mark leave in one write. */
export function withEndOfData(message: Uint8Array): Buffer {
  return Buffer.concat([message, Buffer.from('.\r\n')]);
}

/** Connects, greets and, with `login`, authenticates. `deliver` then takes messages from `withEndOfData`. */
export async function connectSmtp(port: number, login?: Login): Promise<SmtpClient> {
  const socket = openReplySocket(port, findReplyEnd);
  const command = async (bytes: Uint8Array | string, wanted: string): Promise<void> => {
    const reply = await socket.exchange(bytes);
    if (!reply.startsWith(wanted)) throw new Error(`Expected ${wanted}, got: ${reply.trim()}`);
  };
  const greeting = await socket.receive();
  if (!greeting.startsWith('220')) throw new Error(`Expected 220, got: ${greeting.trim()}`);
  await command(`${login ? 'EHLO' : 'HELO'} bench.example.org\r\n`, '250');
  if (login) await command(`AUTH PLAIN ${toPlain(login)}\r\n`, '235');
  return {
    async deliver(rcptTo, message) {
      await command('MAIL FROM:<bench@example.org>\r\n', '250');
      await command(`RCPT TO:<${rcptTo}>\r\n`, '250');
      await command('DATA\r\n', '354');
      const sentAt = performance.now();
      await command(message, '250');
      return performance.now() - sentAt;
    },
    async quit() {
      await command('QUIT\r\n', '221');
      socket.close();
    },
  };
}

/** RFC 4616. */
function toPlain({ username, password }: Login): string {
  return Buffer.from(`\0${username}\0${password}`).toString('base64');
}

/** A reply ends with the first line whose code is followed by a space or by nothing (RFC 5321 §4.2.1). */
function findReplyEnd(text: string): number | undefined {
  let start = 0;
  for (;;) {
    const newline = text.indexOf('\n', start);
    if (newline < 0) return undefined;
    if (text[start + 3] !== '-') return newline + 1;
    start = newline + 1;
  }
}
