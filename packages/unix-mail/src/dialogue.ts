// Passes SMTP that a program writes to `sendmail -bs` on to the server, one command at a time. A script that knows no
// SMTP client writes all at once, without waiting for replies, and ends its lines as its system does; a server on the
// network must refuse both.

import { setImmediate } from 'node:timers/promises';

import { SmtpConnection, type SmtpReply, type SmtpServer } from './smtp-connection.ts';
import { SendmailError, sysexits } from './sysexits.ts';

/** Passes SMTP between the streams and the server, already authenticated. @throws SendmailError */
export async function passDialogue(
  server: SmtpServer,
  input: AsyncIterable<Uint8Array>,
  output: NodeJS.WritableStream,
): Promise<void> {
  const connection = await SmtpConnection.open(server);
  const say = (reply: SmtpReply): SmtpReply => {
    output.write(`${reply.lines.join('\r\n')}\r\n`, 'latin1');
    return reply;
  };
  const lines = new LineReader(input);
  try {
    say(await connection.greet(server.login));
    await passCommands(connection, lines, say);
  } finally {
    connection.close();
    await lines.close();
  }
}

async function passCommands(
  connection: SmtpConnection,
  input: LineReader,
  say: (reply: SmtpReply) => SmtpReply,
): Promise<void> {
  for (;;) {
    const line = await input.readLine();
    if (line?.kind === 'part') throw new SendmailError(sysexits.usage, 'A command is too long.');
    // A program that leaves without QUIT has heard no reply to it either.
    const command = line?.bytes.toString('latin1') ?? 'QUIT';
    connection.write(`${command}\r\n`);
    const [, size] = /^BDAT +(\d{1,12})(?: |$)/i.exec(command) ?? [];
    if (size !== undefined) await passBytes(connection, input, Number(size));
    const reply = await connection.readReply();
    const { code } = reply;
    // A program that does not wait for replies has written its message, whose lines must not become commands.
    const isUnheard = code >= 400 && /^DATA *$/i.test(command) && (await input.hasMore());
    say(reply);
    if (!line || code === 221 || code === 421) return;
    if (isUnheard) await skipMessage(input);
    if (code === 354) {
      await passMessage(connection, input);
      say(await connection.readReply());
    }
  }
}

/** A message whose end never comes is not sent: the server must not take a part of it for the whole. */
async function passMessage(connection: SmtpConnection, input: LineReader): Promise<void> {
  let isAtStart = true;
  for (;;) {
    const line = await input.readLine();
    if (!line || line.kind === 'last') throw withoutEnd();
    const text = line.bytes.toString('latin1');
    const isWhole = line.kind === 'whole';
    await connection.writeAll(isWhole ? `${text}\r\n` : text);
    if (isAtStart && isWhole && text === '.') return;
    isAtStart = isWhole;
  }
}

async function skipMessage(input: LineReader): Promise<void> {
  let isAtStart = true;
  for (;;) {
    const line = await input.readLine();
    if (!line || line.kind === 'last') return;
    const isWhole = line.kind === 'whole';
    if (isAtStart && isWhole && line.bytes.toString('latin1') === '.') return;
    isAtStart = isWhole;
  }
}

async function passBytes(connection: SmtpConnection, input: LineReader, size: number): Promise<void> {
  for (let left = size; left > 0;) {
    const bytes = await input.readSome(left);
    if (!bytes) throw withoutEnd();
    await connection.writeAll(bytes.toString('latin1'));
    left -= bytes.length;
  }
}

function withoutEnd(): SendmailError {
  return new SendmailError(sysexits.data, 'The message has no end.');
}

interface Line {
  readonly bytes: Buffer;
  /** A part of a long line, or the last one of the input when nothing ends it. */
  readonly kind: 'whole' | 'part' | 'last';
}

const maxLineBytes = 64 * 1024;
const lf = 10;
const cr = 13;

/** Reads lines that end with CR LF or LF, and bytes. */
class LineReader {
  readonly #input: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);
  #next: Promise<IteratorResult<Uint8Array, unknown>> | undefined;
  #isOver = false;

  constructor(input: AsyncIterable<Uint8Array>) {
    this.#input = input[Symbol.asyncIterator]();
  }

  /** Without its end; undefined at the end of the input. */
  async readLine(): Promise<Line | undefined> {
    let end = this.#held.indexOf(lf);
    while (end < 0 && this.#held.length < maxLineBytes && (await this.#readMore())) {
      end = this.#held.indexOf(lf);
    }
    if (end >= 0 && end <= maxLineBytes) {
      const line = this.#take(end + 1);
      return { bytes: line.subarray(0, line[end - 1] === cr ? end - 1 : end), kind: 'whole' };
    }
    if (this.#held.length === 0) return undefined;
    if (this.#held.length < maxLineBytes) return { bytes: this.#take(maxLineBytes), kind: 'last' };
    // CR LF must not be torn apart.
    return { bytes: this.#take(maxLineBytes - (this.#held[maxLineBytes - 1] === cr ? 1 : 0)), kind: 'part' };
  }

  /** At most `size` bytes, at least one; undefined at the end of the input. */
  async readSome(size: number): Promise<Buffer | undefined> {
    if (this.#held.length === 0 && !(await this.#readMore())) return undefined;
    return this.#take(size);
  }

  /** Whether there is more that has come already. */
  async hasMore(): Promise<boolean> {
    if (this.#held.length > 0) return true;
    if (this.#isOver) return false;
    const next = (this.#next ??= this.#input.next());
    const isThere = await Promise.race([next.then(() => true), setImmediate(false)]);
    return isThere && (await next).done !== true;
  }

  /** After it the input keeps no process alive, though its writer has not closed it. */
  async close(): Promise<void> {
    await this.#input.return?.();
  }

  #take(size: number): Buffer {
    const taken = this.#held.subarray(0, size);
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }

  async #readMore(): Promise<boolean> {
    if (this.#isOver) return false;
    const next: IteratorResult<Uint8Array, unknown> = await (this.#next ?? this.#input.next());
    this.#next = undefined;
    if (next.done === true) this.#isOver = true;
    else this.#held = Buffer.concat([this.#held, next.value]);
    return !this.#isOver;
  }
}
