import { describe, expect, it } from 'vitest';

import { createRandom } from '../../../test/support/random.ts';
import { EnginePeer } from '../../../test/support/smtp/engine-peer.ts';
import { LineFeedNormalizer } from './line-feed-normalizer.ts';

function normalize(pieces: readonly string[], unstuffs = true): string {
  const normalizer = new LineFeedNormalizer(unstuffs);
  return pieces.map((piece) => normalizer.push(Buffer.from(piece, 'latin1')).toString('latin1')).join('');
}

/** The text after the search for the end of data: dots stuffed behind bare LF remain. */
function expected(text: string): string {
  return text.replace(/(?<!\r)\n\.?/g, '\r\n').replace(/\r+/g, '\r');
}

describe('LineFeedNormalizer', () => {
  it.each([
    ['a\nb\n', 'a\r\nb\r\n'],
    ['a\r\nb\r\n', 'a\r\nb\r\n'],
    ['\n\n', '\r\n\r\n'],
    ['a\n.b\n..c\n.\nd', 'a\r\nb\r\n.c\r\n\r\nd'],
    ['a\r\n.b', 'a\r\n.b'],
    ['a\r\n\n.b', 'a\r\n\r\nb'],
    ['a\r\r\n.b\r\r\n', 'a\r\n.b\r\n'],
    ['a\r\r\r\n\n.b', 'a\r\n\r\nb'],
    ['', ''],
  ])('makes of %j %j, however it is cut', (text, made) => {
    expect(normalize([text])).toBe(made);
    expect(normalize([...text])).toBe(made);
  });

  it('does not take dots for stuffing where nothing is stuffed', () => {
    expect(normalize(['a\n.b\n'], false)).toBe('a\r\n.b\r\n');
  });

  it('leaves what has no bare LF where it is', () => {
    const piece = Buffer.from('a\r\nb\r\n');
    expect(new LineFeedNormalizer(true).push(piece)).toBe(piece);
  });

  it('makes the same of every text, however it is cut (seed 5)', () => {
    const random = createRandom(5);
    for (let round = 0; round < 500; round++) {
      const text = Array.from({ length: random.below(40) }, () =>
        random.pick(['\n', '\r\n', '\r', '.', 'a']),
      ).join('');
      const pieces: string[] = [];
      for (let at = 0; at < text.length;) {
        const length = 1 + random.below(5);
        pieces.push(text.slice(at, at + length));
        at += length;
      }
      expect([text, normalize(pieces)]).toEqual([text, expected(text)]);
    }
  });
});

describe('LineFeedNormalizer where bare line ends are kept', () => {
  function keep(pieces: readonly string[]): string {
    const normalizer = new LineFeedNormalizer(true, true);
    const kept = pieces.map((piece) => normalizer.push(Buffer.from(piece, 'latin1')).toString('latin1'));
    return [...kept, normalizer.end().toString('latin1')].join('');
  }

  it.each([
    ['a\r\r\n\r\r\nb\r\r\r\n', 'a\r\n\r\nb\r\n'],
    ['a\rb\r\rc\n.d\n..e\r\n.f\r\n', 'a\rb\r\rc\nd\n.e\r\n.f\r\n'],
    ['a\n\r.b\n', 'a\n\r.b\n'],
    ['a\r\r', 'a\r\r'],
    ['\n.\n\r\n', '\n\n\r\n'],
  ])('makes of %j %j, however it is cut', (text, made) => {
    expect(keep([text])).toBe(made);
    expect(keep([...text])).toBe(made);
    for (let at = 1; at < text.length; at++) expect(keep([text.slice(0, at), text.slice(at)])).toBe(made);
  });
});

it('reads CR CR LF as CR LF in an engine that keeps bare line ends, by DATA and by BDAT', () => {
  const made = new EnginePeer({ bareLineFeed: 'keep' });
  const sent = 'Subject: x\r\r\n\r\r\nline\r\r\n';
  made.codes('EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>', 'DATA');
  expect(made.say(`${sent}.\r\n`)[0]).toMatch(/^250 /);
  made.codes('MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>');
  expect(made.say(`BDAT ${sent.length + 2} LAST\r\n${sent}\r\r`)[0]).toMatch(/^250 /);
  expect(made.taken.map(({ text }) => text)).toEqual([
    'Subject: x\r\n\r\nline\r\n',
    'Subject: x\r\n\r\nline\r\n\r\r',
  ]);
});

it('takes bare CR and bare LF as they are in an engine that keeps them', () => {
  const made = new EnginePeer({ bareLineFeed: 'keep' });
  made.codes('EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>', 'DATA');
  expect(made.say('Subject: x\n\n..a\rb\nc\n.\nd\r\n.\r\n')[0]).toMatch(/^250 /);
  made.codes('MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>');
  expect(made.say('BDAT 11 LAST\r\nS: x\n\n..a\rb')[0]).toMatch(/^250 /);
  expect(made.taken.map(({ text }) => text)).toEqual(['Subject: x\n\n.a\rb\nc\n\nd\r\n', 'S: x\n\n..a\rb']);
  expect(made.say('NOOP\n')).toEqual(['250 2.0.0 OK']);
});

describe('an engine that normalizes', () => {
  function peer(): EnginePeer {
    const made = new EnginePeer({ bareLineFeed: 'normalize' });
    made.codes('EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>');
    return made;
  }

  it('takes a message with bare LF by DATA, and one by BDAT', () => {
    const made = peer();
    made.codes('DATA');
    expect(made.say('Subject: x\n\n..a\nb\r\n.\r\n')[0]).toMatch(/^250 /);
    made.codes('MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>');
    expect(made.say('BDAT 11 LAST\r\nS: x\n\n..a\nb')[0]).toMatch(/^250 /);
    expect(made.taken.map(({ text }) => text)).toEqual([
      'Subject: x\r\n\r\n.a\r\nb\r\n',
      'S: x\r\n\r\n..a\r\nb',
    ]);
  });

  it.each(['\n.\n', '\n.\r\n', '\r\n.\n', '\n.\n\r\n', '\n\n.\n\n', '\n.\n.\r\n'])(
    'ends no message at %j: what follows is in it, and no command',
    (end) => {
      const made = peer();
      made.codes('DATA');
      const smuggled = 'MAIL FROM:<evil@b.test>\r\nRCPT TO:<two@us.test>\r\nDATA\r\nSubject: evil\r\n';
      const lines = made.say(`Subject: x\r\n\r\ntext${end}${smuggled}\r\n.\r\n`);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^250 /);
      expect(made.taken).toHaveLength(1);
      expect(made.taken[0]?.text).toContain('MAIL FROM:<evil@b.test>\r\n');
      // Nor would another system, to which it came as it is kept, see an end of data in it once it is stuffed.
      expect(made.taken[0]?.text).not.toMatch(/(?<!\r)\n/);
    },
  );

  it.each(['a\rb\nc\r\n', 'a\r\rb\r\n', 'a\r\r\n.\rb\r\n', '.\r\rb\r\n'])(
    'still refuses a CR that no LF follows: %j',
    (text) => {
      const made = peer();
      made.codes('DATA');
      expect(made.say(`${text}.\r\n`)).toEqual(['550 5.6.11 Bare CR or LF in message']);
      made.codes('MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>');
      expect(made.say(`BDAT ${text.length} LAST\r\n${text}`)).toEqual([
        '550 5.6.11 Bare CR or LF in message',
      ]);
    },
  );

  it('takes a message whose lines end in CR CR LF', () => {
    const made = peer();
    made.codes('DATA');
    const sent = 'Subject: Hi from PHP 8\r\r\nFrom: a@sender.test\r\r\n\r\nline 1\r\r\n';
    const kept = 'Subject: Hi from PHP 8\r\nFrom: a@sender.test\r\n\r\nline 1\r\n';
    expect(made.say(`${sent}.\r\n`)[0]).toMatch(/^250 /);
    made.codes('MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>');
    expect(made.say(`BDAT ${sent.length} LAST\r\n${sent}`)[0]).toMatch(/^250 /);
    expect(made.taken.map(({ text }) => text)).toEqual([kept, kept]);
  });

  it.each(['\r\n.\r\r\n', '\r\r\n.\r\r\n', '\n.\r\r\n'])('ends no message at %j', (end) => {
    const made = peer();
    made.codes('DATA');
    const lines = made.say(`Subject: x\r\n\r\ntext${end}MAIL FROM:<evil@b.test>\r\n.\r\n`);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^250 /);
    expect(made.taken[0]?.text).toContain('MAIL FROM:<evil@b.test>\r\n');
  });

  it('takes commands that end in LF', () => {
    const made = new EnginePeer({ bareLineFeed: 'normalize' });
    made.takeLines();
    expect(made.say('NOOP\nNOOP\r\n\nNOOP\n')).toEqual([
      '250 2.0.0 OK',
      '250 2.0.0 OK',
      '500 5.5.2 Command not recognised',
      '250 2.0.0 OK',
    ]);
  });
});
