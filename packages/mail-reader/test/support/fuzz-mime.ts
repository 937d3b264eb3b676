// One run of the MIME fuzzer, for the short test in CI and the long one by hand: reads made-up mail until the time is
// up and checks what holds of every message, however broken.
import { expect } from 'vitest';
import type { Attachment } from '../../src/parts/attachments.ts';
import { glanceAt } from '../../src/message/glance.ts';
import { parseMessage } from '../../src/message/parse-message.ts';
import { readSummary } from '../../src/header/summary.ts';
import { createTransferDecoder } from '../../src/parts/transfer-decoder.ts';
import { readUnsubscribe } from '../../src/header/unsubscribe.ts';
import { makeFuzzMail } from './fuzz-mail.ts';
import { createRandom } from '../../../../test/support/random.ts';

/** Of CPU time, which other work on the machine does not lengthen: far above what 400 KB cost if linear. */
const slowMs = 1_500;

/** As JSON writes it; a backslash of the text itself is written as two. */
const loneSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** However busy the machine is. */
const leastMails = 60;

/** How many mails were read. @throws when one breaks a rule, naming the seed of that mail */
export function fuzzMime(seed: number, forMs: number): number {
  // Once aside: the first mail also builds the extractor's tables.
  parseMessage(Buffer.from('Subject: x\r\n\r\nYour code is 482913'));
  const until = performance.now() + forMs;
  let count = 0;
  for (; performance.now() < until || count < leastMails; count += 1) readOne((seed + count) >>> 0);
  return count;
}

function readOne(seed: number): void {
  const label = `FUZZ_SEED=${seed}`;
  const raw = makeFuzzMail(createRandom(seed));
  const copy = Buffer.from(raw);
  const startedAt = process.cpuUsage();
  const message = parseMessage(raw);
  const summary = readSummary(raw);
  const glance = glanceAt(raw.subarray(0, 65_536));
  const { user, system } = process.cpuUsage(startedAt);
  expect((user + system) / 1000, label).toBeLessThan(slowMs);
  expect(copy.equals(raw), `${label} changed the bytes`).toBe(true);
  expect(JSON.stringify(parseMessage(raw)) === JSON.stringify(message), `${label} is read two ways`).toBe(
    true,
  );
  expect(message.subject, label).toBe(summary.subject);
  expect(glance.preview.length, label).toBeLessThanOrEqual(120);
  expect(message.attachments.length, label).toBeLessThanOrEqual(1_000);
  expect(
    loneSurrogate.test(JSON.stringify({ message, summary, glance })),
    `${label} has half a character`,
  ).toBe(false);
  for (const { filename } of message.attachments) expect(filename, label).not.toMatch(/[/\\\0\r\n]|^\.|^$/);
  for (const { url } of message.links) expect(url, label).toMatch(/^https?:/i);
  readUnsubscribe(message.headers);
  const [first] = message.attachments;
  if (first) expect(decodeInPieces(raw, first.body), label).toBe(first.size);
}

/** Bytes that a download in pieces gives. */
function decodeInPieces(raw: Buffer, { start, end, encoding }: Attachment['body']): number {
  const decode = createTransferDecoder(encoding);
  let bytes = 0;
  for (let at = start; at < end; at += 97) {
    bytes += decode(raw.subarray(at, Math.min(at + 97, end)), false).length;
  }
  return bytes + decode(Buffer.alloc(0), true).length;
}
