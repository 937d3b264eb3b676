// Random dialogues with the SMTP engine, and the invariants of each. Used by the short and the long run.

import { expect } from 'vitest';

import { EnginePeer } from './engine-peer.ts';
import { createRandom, cutRandomly, type Random } from '../random.ts';

/** The dialogue that leads to each state of the engine. */
export const states: Readonly<Record<string, readonly string[]>> = {
  connected: [],
  'after HELO': ['HELO client.test\r\n'],
  'after EHLO': ['EHLO client.test\r\n'],
  'after MAIL': ['EHLO client.test\r\n', 'MAIL FROM:<a@b.test>\r\n'],
  'after a refused RCPT': ['EHLO client.test\r\n', 'MAIL FROM:<>\r\n', 'RCPT TO:<unknown@us.test>\r\n'],
  'after RCPT': ['EHLO client.test\r\n', 'MAIL FROM:<>\r\n', 'RCPT TO:<one@us.test>\r\n'],
  'in DATA': ['EHLO client.test\r\n', 'MAIL FROM:<>\r\n', 'RCPT TO:<one@us.test>\r\n', 'DATA\r\n'],
  'in a chunk': [
    'EHLO client.test\r\n',
    'MAIL FROM:<>\r\n',
    'RCPT TO:<one@us.test>\r\n',
    'BDAT 50\r\nten octets',
  ],
  'between chunks': [
    'EHLO client.test\r\n',
    'MAIL FROM:<>\r\n',
    'RCPT TO:<one@us.test>\r\n',
    'BDAT 3\r\nx\r\n',
  ],
  'in a refused chunk': ['EHLO client.test\r\n', 'BDAT 50\r\nten octets'],
  'after STARTTLS': ['EHLO client.test\r\n', 'STARTTLS\r\n'],
  'after AUTH': ['EHLO client.test\r\n', 'AUTH PLAIN AHVzZXIAcGFzcw==\r\n'],
  'asked for a user name': ['EHLO client.test\r\n', 'AUTH LOGIN\r\n'],
  'asked for a password': ['EHLO client.test\r\n', 'AUTH LOGIN\r\n', 'dXNlcg==\r\n'],
  'after QUIT': ['QUIT\r\n'],
};

export const inputs: readonly string[] = [
  ...[
    'EHLO client.test',
    'HELO client.test',
    'EHLO',
    'HELO  ',
    `EHLO ${'x'.repeat(256)}`,
    'ehlo [127.0.0.1]',
  ],
  ...[
    'MAIL FROM:<a@b.test>',
    'MAIL FROM:<>',
    'MAIL FROM:<a@b.test> SIZE=1',
    'MAIL FROM:<a@b.test> SIZE=99999999999',
  ],
  ...[
    'MAIL FROM:<a@b.test> BODY=8BITMIME SMTPUTF8',
    'MAIL FROM:<a@b.test> BODY=BINARYMIME',
    'MAIL FROM',
    'MAIL',
  ],
  ...[
    'MAIL FROM:<j\xc3\xb6rg@b.test> SMTPUTF8',
    'MAIL FROM:<j\xc3\xb6rg@b.test>',
    'MAIL FROM:<a@b.test',
    'MAIL <>',
  ],
  ...[
    'RCPT TO:<one@us.test>',
    'RCPT TO:<unknown@us.test>',
    'RCPT TO:<full@us.test>',
    'RCPT TO:<a@foreign.test>',
  ],
  ...[
    'RCPT TO:<Postmaster>',
    'RCPT TO:<@a,@b:one@us.test>',
    'RCPT TO:<"a b"@us.test>',
    'RCPT TO:<a@b@us.test>',
  ],
  ...['RCPT TO:<>', 'RCPT', 'RCPT TO:<one@us.test> NOTIFY=NEVER', 'DATA', 'DATA x', '.', '..', '. '],
  ...[
    'BDAT 0',
    'BDAT 0 LAST',
    'BDAT 5',
    'BDAT 5 LAST',
    'BDAT 2000',
    'BDAT 18446744073709551615',
    'BDAT -1',
    'BDAT',
  ],
  ...[
    'STARTTLS',
    'STARTTLS x',
    'RSET',
    'RSET x',
    'NOOP',
    'NOOP x',
    'QUIT',
    'QUIT x',
    'VRFY a',
    'VRFY',
    'EXPN a',
  ],
  ...[
    'HELP',
    'AUTH LOGIN',
    'AUTH PLAIN AGEAYg==',
    'AUTH PLAIN AHVzZXIAcGFzcw==',
    'AUTH PLAIN =',
    'auth login dXNlcg==',
    'dXNlcg==',
    'cGFzcw==',
    '*',
    '=',
    'MAIL FROM:<a@b.test> AUTH=<>',
    'ETRN x',
    'TURN',
    'XCLIENT ADDR=1',
    'PROXY UNKNOWN',
    'XYZZY',
  ],
  ...['', ' ', '\0', '\r', '\x7f', '\xff', '\x1b[31m', 'GET / HTTP/1.1', 'x'.repeat(2040), 'x'.repeat(3000)],
].map((line) => `${line}\r\n`);

const group = 'MAIL FROM:<a@b.test>\r\nRCPT TO:<one@us.test>\r\n';

const fragments = [
  ...inputs,
  ...['\n', '\r', '.\n', '\n.\n', '\r\n.\r\n', 'text', '\x16\x03\x01\x02\x00\x01', ' ', '.'],
  ...[group, `EHLO x\r\n${group}`, `${group}BDAT 3 LAST\r\nx\r\n`, `RSET\r\n${group}BDAT 9\r\n.\r\nQUIT\r\n`],
];

/** Codes without an enhanced code: the greeting, EHLO's lines, and 3yz (RFC 2034 §4). */
const isPlain =
  /^(?:220 mx\.test ESMTP|250[ -](?:mx\.test|[A-Z0-9]+(?: \d+)?|AUTH PLAIN LOGIN)|354 End data with <CR><LF>\.<CR><LF>|334 [A-Za-z0-9+/=]*)$/;
const isCoded = /^([245])\d\d \1\.\d\.\d{1,2} [ -~]+$/;

export function expectReplies(lines: readonly string[], context: string): void {
  for (const line of lines) {
    if (!isPlain.test(line)) expect(line, context).toMatch(isCoded);
    expect(line.length, context).toBeLessThanOrEqual(510);
  }
}

export function createFuzzPeer(): EnginePeer {
  return new EnginePeer({ offersTls: true, offersAuth: 'always', messageMaxBytes: 64 * 1024 });
}

function expectSound(peer: EnginePeer, context: string): void {
  // A response to a challenge may be longer than a command.
  expect(peer.engine.waitingBytes, context).toBeLessThanOrEqual(12_289);
  for (const { rcptTo, recipients, mailFrom, helo } of peer.taken) {
    expect(recipients.length, context).toBe(rcptTo.length);
    expect([mailFrom ?? '', helo, ...rcptTo].join(), context).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
  }
  if (peer.isClosed) {
    expect([peer.engine.isReceivingMessage, peer.engine.waitingBytes], context).toEqual([false, 0]);
  }
}

/** Plays one dialogue of the seed. @returns the number of messages accepted */
export function playRandom(seed: number): number {
  const random = createRandom(seed);
  const peer = createFuzzPeer();
  for (const piece of randomPieces(random)) {
    peer.send(piece);
    expectSound(peer, `FUZZ_SEED=${seed}`);
  }
  expectReplies(peer.takeLines(), `FUZZ_SEED=${seed}`);
  return peer.taken.length;
}

function randomPieces(random: Random): Buffer[] {
  const opening = random.pick(Object.values(states));
  const rest = Array.from({ length: random.below(30) }, () =>
    random.below(12) === 0 ? random.bytes(1 + random.below(60)).toString('latin1') : random.pick(fragments),
  );
  const longest = random.pick([1, 7, 100, 5000]);
  return [...opening, ...rest].flatMap((part) => cutRandomly(Buffer.from(part, 'latin1'), random, longest));
}

/** Excludes DATA and AUTH, which forbid pipelined input; without them the cuts must make no difference. */
export function expectSameHoweverCut(seed: number): void {
  const random = createRandom(seed);
  const parts = [...random.pick(Object.values(states))];
  for (let count = random.below(20); count > 0; count--) parts.push(random.pick(fragments));
  const sent = Buffer.from(parts.filter((part) => !/DATA|STARTTLS|AUTH/i.test(part)).join(''), 'latin1');
  const play = (longest: number) => {
    const peer = createFuzzPeer();
    for (const piece of cutRandomly(sent, random, longest)) peer.send(piece);
    return { lines: peer.takeLines(), taken: peer.taken };
  };
  const whole = play(100_000_000);
  for (const longest of [1, 9, 300]) expect(play(longest), `FUZZ_SEED=${seed}`).toEqual(whole);
}
