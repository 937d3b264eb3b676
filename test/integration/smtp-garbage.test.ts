// Garbage over real sockets: random dialogues from a seeded generator, endless lines, other protocols. Each line gets
// a well-formed reply or the connection ends, nothing is stored in part, and the service survives.

import { describe, expect, it } from 'vitest';

import { createRandom, cutRandomly, fuzzSeed, fuzzTime, type Random } from '../support/random.ts';
import { type SmtpFixture, startSmtp } from '../support/smtp/smtp-fixture.ts';

const fuzzMs = fuzzTime(2000);

const fragments = [
  'EHLO client.test\r\n',
  'HELO client.test\r\n',
  'MAIL FROM:<a@b.test>\r\n',
  'MAIL FROM:<a@b.test> SIZE=100 BODY=8BITMIME SMTPUTF8\r\n',
  'MAIL FROM:<>\r\n',
  'RCPT TO:<one@mayfly.test>\r\n',
  'RCPT TO:<nobody@mayfly.test>\r\n',
  'RCPT TO:<@mayfly.test:x@foreign.test>\r\n',
  'DATA\r\n',
  'RSET\r\n',
  'NOOP\r\n',
  'QUIT\r\n',
  'VRFY x\r\n',
  'BDAT 18446744073709551615 LAST\r\n',
  'STARTTLS\r\n',
  'AUTH LOGIN\r\n',
  'Subject: text\r\n\r\nbody\r\n',
  '.\r\n',
  '\r\n.\r\n',
  '\n.\n',
  '\r.\r',
  '\r\n',
  '\n',
  '\r',
  '\0',
  '.',
  '<',
  '"',
  ' ',
  'x'.repeat(3000),
  'GET / HTTP/1.1\r\nHost: mayfly.test\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
];

const toData = 'EHLO x\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<one@mayfly.test>\r\nDATA\r\n';

// Dialogues with a valid start get deeper into the engine.
const openings = ['', fragments[0]!, fragments.slice(0, 3).join(''), toData];

function randomDialogue(random: Random): Buffer[] {
  const parts: Buffer[] = [Buffer.from(random.pick(openings))];
  for (let count = random.below(25); count > 0; count--) {
    const isNoise = random.below(6) === 0;
    parts.push(isNoise ? random.bytes(1 + random.below(200)) : Buffer.from(random.pick(fragments), 'latin1'));
  }
  return parts;
}

/** Gives the listener, which is in this process, time to respond. */
async function turnLoop(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

interface Played {
  readonly sent: string;
  readonly answered: readonly string[];
}

/** Plays one random dialogue. */
async function play(fixture: SmtpFixture, seed: number): Promise<Played> {
  const random = createRandom(seed);
  const client = await fixture.connect();
  // Sometimes the client talks before the greeting, which ends its dialogue.
  if (random.below(10) > 0) await client.greeted;
  const isPatient = random.below(3) > 0;
  const longestPiece = random.pick([1, 20, 5000]);
  const dialogue = randomDialogue(random);
  for (const part of dialogue) {
    for (const piece of cutRandomly(part, random, longestPiece)) {
      if (client.socket.writable) client.send(piece);
    }
    if (isPatient) await turnLoop(random.below(10));
  }
  const isRude = random.below(5) === 0;
  if (isRude) client.socket.resetAndDestroy();
  else client.socket.end();
  return { sent: Buffer.concat(dialogue).toString('latin1'), answered: await client.closed };
}

/** Includes every message as stored, and its end (RFC 5321 §4.5.2). */
function unstuffed(dialogue: string): string {
  return dialogue.replace(/^\.(?!\r\n)/gm, '');
}

describe('random dialogues', () => {
  const seed = fuzzSeed();

  it(`get a reply per line or end, and store whole messages only (FUZZ_SEED=${seed})`, async () => {
    const fixture = await startSmtp({ quota: { messages: Infinity, bytes: Infinity } });
    const session = await fixture.lend('one');
    const until = performance.now() + fuzzMs;
    let next = seed;
    let played = 0;
    let acknowledged = 0;
    const sent: string[] = [];
    const playOn = async (): Promise<void> => {
      // A busy machine plays for longer: the number of dialogues counts.
      while (performance.now() < until || played <= 100 || acknowledged === 0) {
        const mine = next++;
        const dialogue = await play(fixture, mine);
        if (dialogue.sent.includes('..\r\n')) sent.push(unstuffed(dialogue.sent));
        for (const line of dialogue.answered) {
          expect(line, `FUZZ_SEED=${mine}`).toMatch(
            /^(?:2(?:20|21|50|52)|3[35]4|4(?:21|51|52|54)|5\d\d)[ -][ -~]*$/,
          );
          if (/^250 2\.0\.0 OK \w/.test(line)) acknowledged += 1;
        }
        played += 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, playOn));
    const client = await fixture.greet();
    expect(await client.deliver('last\r\n', session.address)).toMatch(/^250/);
    const stored = await fixture.textsOf(session);
    // One more than acknowledged: a client may leave before its reply.
    expect(stored.length).toBeGreaterThan(acknowledged);
    expect(stored.at(-1)).toBe('last\r\n');
    for (const text of stored) {
      expect(text).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
      // A line of one dot ends a message, unless it was sent as two.
      const hasDotLine = /^\.\r$/m.test(text);
      if (hasDotLine) expect(sent.some((dialogue) => dialogue.includes(`${text}.\r\n`))).toBe(true);
    }
    expect(fixture.errors).toEqual([]);
    await client.command('QUIT');
    expect(fixture.incoming.count).toBe(0);
    expect(played).toBeGreaterThan(100);
    expect(acknowledged).toBeGreaterThan(0);
  });
});

describe('lines of 100,000 bytes', () => {
  it.each([
    ['as a first command', []],
    ['after EHLO', ['EHLO client.test']],
    ['within a transaction', ['EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@mayfly.test>']],
  ])('%s get 500 5.5.2 and the end', async (_, lines) => {
    const fixture = await startSmtp();
    await fixture.lend('one');
    const client = await fixture.connect();
    await client.readReply();
    for (const line of lines) await client.command(line);
    client.send(`${'x'.repeat(100_000)}\r\nNOOP\r\n`);
    expect(await client.closed).toEqual(['500 5.5.2 Line too long']);
    expect(fixture.incoming.count).toBe(0);
  });

  it('within a message are kept unchanged', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('one');
    const text = `Subject: ${'s'.repeat(100_000)}\r\n\r\n${'b'.repeat(100_000)}\r\n`;
    const client = await fixture.greet();
    expect(await client.deliver(text, session.address)).toMatch(/^250/);
    expect(await fixture.textsOf(session)).toEqual([text]);
  });

  it('that never end are cut off after a few thousand bytes', async () => {
    const fixture = await startSmtp();
    const client = await fixture.greet();
    const endless = setInterval(() => client.send('x'.repeat(1000)), 1);
    const lines = await client.closed.finally(() => {
      clearInterval(endless);
    });
    expect(lines).toEqual(['500 5.5.2 Line too long']);
    expect(client.socket.bytesWritten).toBeLessThan(100_000);
  });
});

describe('commands out of order', () => {
  it('are refused one by one, and the connection stays open', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('one');
    const client = await fixture.connect();
    await client.readReply();
    const codes: string[] = [];
    for (const line of ['DATA', 'RCPT TO:<one@mayfly.test>', 'MAIL FROM:<a@b.test>', '.', 'EHLO x', 'DATA']) {
      codes.push((await client.command(line)).slice(0, 3));
    }
    expect(codes).toEqual(['503', '503', '503', '500', '250', '503']);
    expect(await client.deliver('text\r\n', session.address)).toMatch(/^250/);
  });
});
