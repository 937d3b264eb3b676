// Mail with random damage to headers and delimiters: its text stays visible, or the parse is not `ok`. Each run has
// its own seed; FUZZ_SEED repeats a failure.
import { expect, it } from 'vitest';

import { createRandom, fuzzSeed, type Random } from '../../../../test/support/random.ts';
import { parseMessage } from './parse-message.ts';
import { decodeTransfer } from '../parts/transfer-decoding.ts';

const token = 'TOKEN482913';
const encoded = Buffer.from(token).toString('base64');
const leaves: readonly (readonly string[])[] = [
  ['Content-Type: text/plain; charset=utf-8', '', token],
  [
    'Content-Type: text/html; charset="utf-8"',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    `<p>${token}</p>`,
  ],
  ['Content-Type: text/plain', 'Content-Transfer-Encoding: base64', '', encoded],
  [
    'Content-Type: application/pdf; name="a.pdf"',
    'Content-Disposition: attachment; filename="a.pdf"',
    '',
    token,
  ],
  ['', token],
];
const stray = ['stray text here', 'Foo: bar', '', ' ', '--', '--out_er', '--out_er--', 'From x', '>From x'];

function pick<T>(random: Random, from: readonly T[]): T {
  const one = from[random.below(from.length)];
  if (one === undefined) throw new Error('There is nothing to choose from.');
  return one;
}

function makeLines(random: Random): string[] {
  const leaf = pick(random, leaves);
  const inner = [
    'Content-Type: multipart/alternative; boundary="in=ner"',
    '',
    '--in=ner',
    ...leaf,
    '--in=ner--',
  ];
  const body = pick(random, [
    leaf,
    [
      'Content-Type: multipart/mixed; boundary="out_er"',
      '',
      'This is MIME.',
      '--out_er',
      ...leaf,
      '--out_er--',
    ],
    ['Content-Type: multipart/mixed;', '\tboundary="out_er"', '', '--out_er', ...inner, '--out_er--'],
  ]);
  const date = 'Date: Fri, 20 Nov 2026 09:15:00 +0000';
  return ['From: Ann <a@b.example>', 'Subject: Hello', date, 'MIME-Version: 1.0', ...body];
}

function damage(lines: string[], random: Random): void {
  const at = random.below(lines.length);
  const line = lines[at] ?? '';
  if (line.includes(token) || line === encoded) return;
  const place = random.below(line.length + 1);
  const before = line.slice(0, place);
  const after = line.slice(place);
  const changes: readonly (readonly string[])[] = [
    [],
    [before + after.slice(1)],
    [before + pick(random, [' ', ';', '"', ':', '=', "'", '(', '<', ',', '-', '\xa0']) + after],
    [pick(random, stray), line],
    [before, after],
    [line.toUpperCase()],
    [before],
  ];
  lines.splice(at, 1, ...pick(random, changes));
}

function isVisible(raw: Buffer): boolean {
  const { text, html, attachments } = parseMessage(raw);
  const files = attachments.map(({ body }) =>
    decodeTransfer(raw.subarray(body.start, body.end), body.encoding).bytes.toString('latin1'),
  );
  const all = [text, html ?? '', ...files].join('\n');
  return all.includes(token) || all.includes(encoded);
}

const first = fuzzSeed();

it(`shows the text of 4,000 damaged mails, or reports that it may not (FUZZ_SEED=${first})`, () => {
  let visible = 0;
  for (let seed = first; seed < first + 4_000; seed++) {
    const random = createRandom(seed >>> 0);
    const lines = makeLines(random);
    for (let i = random.below(3); i > 0; i--) damage(lines, random);
    const raw = Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1');
    if (isVisible(raw)) visible++;
    else {
      expect(parseMessage(raw).parse.status, `FUZZ_SEED=${seed >>> 0}\n${raw.toString('latin1')}`).toBe(
        'partial',
      );
    }
  }
  expect(visible).toBeGreaterThan(3_000);
});
