// One run of the MIME fuzzer, for the short test in CI and the long one by hand: parses generated mail until time is
// up and checks invariants that hold for every message, however broken.
import { expect } from 'vitest';
import type { Attachment } from '../../src/parts/attachments.ts';
import { glanceAt } from '../../src/message/glance.ts';
import { parseMessage } from '../../src/message/parse-message.ts';
import { readSummary } from '../../src/header/summary.ts';
import { createTransferDecoder } from '../../src/parts/transfer-decoder.ts';
import { readUnsubscribe } from '../../src/header/unsubscribe.ts';
import { makeFuzzMail } from './fuzz-mail.ts';
import { createRandom } from '../../../../test/support/random.ts';

/** An address with a scheme, and none that runs or shows what a sender wrote. */
const linkUrl = /^(?!(?:javascript|vbscript|data|blob|file|about|view-source):)[a-z][a-z0-9+.-]*:/i;

/** CPU time, which is independent of other load: far above the cost of 400 KB in linear time. */
const slowMs = 1_500;

/** As JSON writes it; a backslash of the text itself is doubled. */
const loneSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** Read even on a busy machine. */
const leastMails = 60;

/** Returns how many mails were read. @throws when one breaks an invariant, with the seed of that mail */
export function fuzzMime(seed: number, forMs: number): number {
  // Excluded from the measurement: the first mail also builds the extractor's tables.
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
  expect([...glance.preview].length, label).toBeLessThanOrEqual(120);
  expect(message.attachments.length, label).toBeLessThanOrEqual(1_000);
  expect(
    loneSurrogate.test(JSON.stringify({ message, summary, glance })),
    `${label} has half a character`,
  ).toBe(false);
  for (const { filename } of message.attachments) expect(filename, label).not.toMatch(/[/\\\0\r\n]|^\.|^$/);
  for (const { url } of message.links) expect(url, label).toMatch(linkUrl);
  readUnsubscribe(message.headers);
  const [first] = message.attachments;
  if (first) expect(decodeInPieces(raw, first.body), label).toBe(first.size);
}

/** Returns the bytes of a download in pieces. */
function decodeInPieces(raw: Buffer, { start, end, encoding }: Attachment['body']): number {
  const decode = createTransferDecoder(encoding);
  let bytes = 0;
  for (let at = start; at < end; at += 97) {
    bytes += decode(raw.subarray(at, Math.min(at + 97, end)), false).length;
  }
  return bytes + decode(Buffer.alloc(0), true).length;
}
