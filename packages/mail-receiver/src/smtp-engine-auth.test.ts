// AUTH (RFC 4954) as the engine sees it: both mechanisms, what is refused and with which code, and what must not be taken
// for a command or an answer.

import { describe, expect, it } from 'vitest';

import { EnginePeer } from '../../../test/support/smtp/engine-peer.ts';
import { parseMail } from './parse-path.ts';
import { replies } from './reply.ts';
import type { SmtpEngineSettings } from './engine-step.ts';

const hello = 'EHLO client.test';
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
const plain = (text: string): string => `AUTH PLAIN ${base64(text)}`;
const right = plain('\0user\0pass');

function peerFor(settings: Partial<SmtpEngineSettings> = {}): EnginePeer {
  const peer = new EnginePeer({ offersAuth: 'always', ...settings });
  peer.takeLines();
  return peer;
}

/** The codes of replies to lines that are sent one at a time. */
function play(lines: readonly string[], settings?: Partial<SmtpEngineSettings>): string[] {
  const peer = peerFor(settings);
  return lines.flatMap((line) => peer.codes(line));
}

function loginsOf(...lines: readonly string[]): EnginePeer['logins'] {
  const peer = peerFor();
  for (const line of [hello, ...lines]) peer.codes(line);
  return peer.logins;
}

describe('an exchange', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['PLAIN with an initial response', [right], ['235 2.7.0']],
    ['PLAIN without one', ['AUTH PLAIN', base64('\0user\0pass')], ['334', '235 2.7.0']],
    ['PLAIN in small letters', [`auth plain ${base64('\0user\0pass')}`], ['235 2.7.0']],
    ['PLAIN for itself', [plain('user\0user\0pass')], ['235 2.7.0']],
    ['LOGIN', ['AUTH LOGIN', base64('user'), base64('pass')], ['334', '334', '235 2.7.0']],
    [
      'LOGIN with an initial response',
      [`AUTH LOGIN ${base64('user')}`, base64('pass')],
      ['334', '235 2.7.0'],
    ],
    ['PLAIN for somebody else', [plain('root\0user\0pass')], ['535 5.7.8']],
    ['PLAIN with `=`, an empty response', ['AUTH PLAIN ='], ['535 5.7.8']],
    ['PLAIN with an empty answer', ['AUTH PLAIN', ''], ['334', '535 5.7.8']],
    ['PLAIN with too few parts', [plain('user\0pass')], ['535 5.7.8']],
    ['PLAIN with too many parts', [plain('\0user\0pass\0')], ['535 5.7.8']],
    ['PLAIN that is not UTF-8', [`AUTH PLAIN ${base64(Buffer.from('00ff00ff', 'hex'))}`], ['535 5.7.8']],
    ['PLAIN with the wrong password', [plain('\0user\0Pass')], ['535 5.7.8']],
    ['LOGIN with `=`, an empty name', ['AUTH LOGIN =', base64('pass')], ['334', '535 5.7.8']],
    ['LOGIN with empty answers', ['AUTH LOGIN', '', ''], ['334', '334', '535 5.7.8']],
    ['PLAIN that is cancelled', ['AUTH PLAIN', '*'], ['334', '501 5.7.0']],
    ['LOGIN that is cancelled at the name', ['AUTH LOGIN', '*'], ['334', '501 5.7.0']],
    [
      'LOGIN that is cancelled at the password',
      ['AUTH LOGIN', base64('user'), '*'],
      ['334', '334', '501 5.7.0'],
    ],
    ['`*` as an initial response, which cancels nothing', ['AUTH PLAIN *'], ['501 5.5.2']],
    ['`=` as an answer, which is no base64', ['AUTH PLAIN', '='], ['334', '501 5.5.2']],
  ])('%s', (_, lines, codes) => {
    expect(play([hello, ...lines]).slice(1)).toEqual(codes);
    // Whatever became of it, the dialogue goes on.
    expect(play([hello, ...lines, 'NOOP']).at(-1)).toBe('250 2.0.0');
  });

  it('has the challenges of the drafts of LOGIN, and an empty one of PLAIN', () => {
    const peer = peerFor();
    peer.codes(hello);
    expect(peer.say('AUTH LOGIN\r\n')).toEqual([`334 ${base64('Username:')}`]);
    expect(peer.say(`${base64('user')}\r\n`)).toEqual([`334 ${base64('Password:')}`]);
    expect(peer.say('*\r\nAUTH PLAIN\r\n')).toEqual([replies.authTooSoon.trimEnd()]);
    const other = peerFor();
    other.codes(hello);
    expect(other.say('AUTH PLAIN\r\n')).toEqual(['334 ']);
  });

  it('hands over what was given, to the character', () => {
    expect(loginsOf(plain('\0jörg\0pä ss=*'))).toEqual([{ username: 'jörg', password: 'pä ss=*' }]);
    expect(loginsOf('AUTH LOGIN', base64('MAIL FROM:<a@b.test>\r\n'), base64('\0'))).toEqual([
      { username: 'MAIL FROM:<a@b.test>\r\n', password: '\0' },
    ]);
    // Malformed credentials are looked up too: they count as wrong, and take as long.
    expect(loginsOf(plain('no nul'))).toEqual([{ username: '', password: '' }]);
  });

  it.each([
    ['a character of none', '!!!!'],
    ['of the URL-safe alphabet', '_-8='],
    ['no padding', 'dXNlcg'],
    ['too much padding', 'dXNlcg==='],
    ['padding within', 'dX==Nlcg'],
    ['bits behind the end', 'dXNlch=='],
    ['white space within', 'dXNl cg=='],
    ['white space behind', 'dXNlcg== '],
    ['a tab', 'dXNlcg==\t'],
    ['a CR within', 'dXNl\rcg=='],
    ['a NUL', 'dXNlcg==\0'],
    ['a command', 'MAIL FROM:<a@b.test>'],
  ])('ends with 501 where an answer has %s', (_, answer) => {
    for (const opening of [['AUTH LOGIN'], ['AUTH PLAIN'], ['AUTH LOGIN', base64('user')]]) {
      const codes = play([hello, ...opening, answer, 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>']);
      expect(codes.slice(1 + opening.length)).toEqual(['501 5.5.2', '250 2.1.0', '250 2.1.5']);
    }
  });
});

describe('AUTH', () => {
  it.each<[string, readonly string[], string]>([
    ['before EHLO', [], '503 5.5.1'],
    ['after HELO', ['HELO client.test'], '503 5.5.1'],
    ['in a transaction', [hello, 'MAIL FROM:<>'], '503 5.5.1'],
    ['between chunks', [hello, 'MAIL FROM:<>', 'RCPT TO:<one@us.test>', 'BDAT 0'], '503 5.5.1'],
    ['twice', [hello, right], '503 5.5.1'],
    ['twice, with RSET between', [hello, right, 'RSET'], '503 5.5.1'],
    ['twice, with EHLO between', [hello, right, hello], '503 5.5.1'],
    ['after a transaction', [hello, 'MAIL FROM:<>', 'RSET'], '235 2.7.0'],
    ['after a wrong one', [hello, plain('\0user\0no')], '235 2.7.0'],
    ['after a cancelled one', [hello, 'AUTH LOGIN', '*'], '235 2.7.0'],
  ])('%s', (_, opening, code) => {
    expect(play([...opening, right]).at(-1)).toBe(code);
  });

  it.each([
    ['AUTH', '501 5.5.4'],
    ['AUTH PLAIN =  x', '501 5.5.4'],
    ['AUTH PLAIN dXNlcg== x', '501 5.5.4'],
    ['AUTH CRAM-MD5', '504 5.5.4'],
    ['AUTH XOAUTH2 dXNlcg==', '504 5.5.4'],
    ['AUTH PLAIN!', '504 5.5.4'],
    ['AUTH PLAIN dXNlcg', '501 5.5.2'],
  ])('%s', (line, code) => {
    expect(play([hello, line, 'NOOP'])).toEqual(['250', code, '250 2.0.0']);
  });

  it('is offered where a password may be sent, and says elsewhere that it wants TLS', () => {
    const offered = 'AUTH PLAIN LOGIN';
    const hellos = (settings: Partial<SmtpEngineSettings>, ...lines: readonly string[]): string => {
      const peer = peerFor(settings);
      for (const line of lines) peer.codes(line);
      return peer.say(`${hello}\r\n`).join();
    };
    expect(hellos({})).toContain(offered);
    expect(hellos({ offersAuth: 'secure' })).not.toContain('AUTH');
    expect(hellos({ offersAuth: 'secure', offersTls: true }, hello, 'STARTTLS')).toContain(offered);
    expect(hellos({ offersAuth: undefined })).not.toContain('AUTH');
    const inTheClear = { offersAuth: 'secure', offersTls: true } as const;
    expect(play([hello, right, 'AUTH CRAM-MD5'], inTheClear)).toEqual(['250', '538 5.7.11', '504 5.5.4']);
    expect(play([hello, 'STARTTLS', hello, right], inTheClear).at(-1)).toBe('235 2.7.0');
    expect(play([hello, right], { offersAuth: undefined })).toEqual(['250', '502 5.5.1']);
  });

  it('is forgotten with STARTTLS', () => {
    const codes = play([hello, right, 'STARTTLS', hello, right], { offersTls: true });
    expect(codes).toEqual(['250', '235 2.7.0', '220 2.0.0', '250', '235 2.7.0']);
    expect(play([hello, right, 'STARTTLS', right], { offersTls: true }).at(-1)).toBe('503 5.5.1');
  });

  it('counts as wrong commands what it refuses', () => {
    const wrong = plain('\0user\0no');
    for (const line of [wrong, 'AUTH CRAM-MD5', 'AUTH PLAIN x']) {
      const codes = play([hello, line, line, line, 'NOOP'], { badCommandsMax: 3 });
      expect([codes.length, codes.at(-1)]).toEqual([5, '421 4.7.0']);
    }
    const cancelled = play([hello, 'AUTH LOGIN', '*', 'AUTH LOGIN', '*'], { badCommandsMax: 2 });
    expect(cancelled.slice(-2)).toEqual(['501 5.7.0', '421 4.7.0']);
  });

  it('does not end with a budget that a good message has left', () => {
    const codes = play([
      hello,
      right,
      'MAIL FROM:<a@b.test> AUTH=<>',
      'RCPT TO:<one@us.test>',
      'DATA',
      'x\r\n.',
    ]);
    expect(codes).toEqual(['250', '235 2.7.0', '250 2.1.0', '250 2.1.5', '354', '250 2.0.0']);
  });
});

describe('a line that is no answer', () => {
  it('may have 12,288 octets; after a longer one, nothing is carried out', () => {
    const longest = 'A'.repeat(12_288);
    expect(play([hello, 'AUTH PLAIN', longest, 'NOOP']).slice(1)).toEqual(['334', '535 5.7.8', '250 2.0.0']);
    for (const tail of ['\r\nNOOP\r\n', '', 'A'.repeat(100_000)]) {
      const peer = peerFor();
      peer.codes(hello);
      peer.codes('AUTH PLAIN');
      expect(peer.say(`${longest}AAAA${tail}`)).toEqual([replies.saslLineTooLong.trimEnd()]);
      expect(peer.isClosed).toBe(true);
    }
  });

  it('byte by byte is bounded too', () => {
    const peer = peerFor();
    peer.codes(hello);
    peer.codes('AUTH LOGIN');
    for (let count = 0; count < 13_000; count++) peer.send(Buffer.from('A'));
    expect([peer.isClosed, peer.takeLines()]).toEqual([true, [replies.saslLineTooLong.trimEnd()]]);
  });

  it.each([
    'dXNlcg==\nMAIL FROM:<a@b.test>\r\n',
    'dXNlcg==\n',
    '\nMAIL FROM:<a@b.test>\r\n',
    'dXNl\ncg==\r\n',
  ])('with a bare LF ends the dialogue: %j', (sent) => {
    const peer = peerFor();
    peer.codes(hello);
    peer.codes('AUTH LOGIN');
    expect(peer.say(sent)).toEqual([replies.bareLineEnd.trimEnd()]);
    expect(peer.isClosed).toBe(true);
  });

  it('with a bare LF is one where the operator takes them', () => {
    const peer = peerFor({ bareLineFeed: 'normalize' });
    peer.codes(hello);
    peer.say('AUTH LOGIN\n');
    peer.say(`${base64('user')}\n`);
    expect(peer.say(`${base64('pass')}\n`)).toEqual([replies.authenticated.trimEnd()]);
  });
});

describe('input before the reply to AUTH', () => {
  it.each<[string, readonly string[], string]>([
    ['commands behind an initial response', [], `${right}\r\nMAIL FROM:<a@b.test>\r\n`],
    ['commands behind a wrong one', [], `${plain('\0user\0no')}\r\nMAIL FROM:<a@b.test>\r\n`],
    ['commands behind a mechanism not known', [], 'AUTH X\r\nMAIL FROM:<a@b.test>\r\n'],
    ['an answer before its challenge', [], `AUTH PLAIN\r\n${base64('\0user\0pass')}\r\n`],
    ['commands before the challenge', [], 'AUTH LOGIN\r\nMAIL FROM:<a@b.test>\r\n'],
    ['a password before its challenge', ['AUTH LOGIN'], `${base64('user')}\r\n${base64('pass')}\r\n`],
    [
      'commands behind the last answer',
      ['AUTH PLAIN'],
      `${base64('\0user\0pass')}\r\nMAIL FROM:<a@b.test>\r\n`,
    ],
    ['commands behind a cancellation', ['AUTH PLAIN'], '*\r\nMAIL FROM:<a@b.test>\r\n'],
    ['half a line', [], `${right}\r\nMA`],
  ])('ends the dialogue, and is neither answer nor command: %s', (_, opening, sent) => {
    const peer = peerFor();
    for (const line of [hello, ...opening]) peer.codes(line);
    expect(peer.say(sent)).toEqual(['554 5.5.0 Data before the reply to AUTH']);
    expect([peer.isClosed, peer.engine.waitingBytes]).toEqual([true, 0]);
    expect(peer.logins).toEqual([]);
  });

  it('ends it also while the credentials are looked up', () => {
    const peer = peerFor();
    peer.codes(hello);
    const { engine } = peer;
    engine.push(Buffer.from(`${right}\r\n`));
    expect(engine.step()).toEqual({ kind: 'auth', username: 'user', password: 'pass' });
    engine.push(Buffer.from('MAIL FROM:<a@b.test>\r\n'));
    engine.answerAuth(undefined);
    expect([engine.takeOutput(), engine.step()]).toEqual([replies.authTooSoon, { kind: 'close' }]);
  });

  it('is answered in order where AUTH was the last of its group', () => {
    const peer = peerFor();
    expect(peer.codes(hello, 'NOOP', right)).toEqual(['250', '250 2.0.0', '235 2.7.0']);
  });
});

describe('the parameter AUTH of MAIL (RFC 4954 §5)', () => {
  it.each(['<>', 'e+3Dmc2@example.com', 'a@b.test', '+2B', 'x'.repeat(500)])('%s is taken', (value) => {
    expect(parseMail(`FROM:<a@b.test> AUTH=${value}`)).toEqual({
      mailFrom: 'a@b.test',
      sizeBytes: undefined,
      isUtf8: false,
    });
  });

  it.each(['', '=', 'a=b', '+3d', '+G0', '+', 'jörg', 'a@b.test AUTH=c@d.test', 'x'.repeat(501)])(
    '%s is refused',
    (value) => {
      expect(parseMail(`FROM:<a@b.test> AUTH=${value}`)).toBe(replies.badArguments);
    },
  );

  it('without a value is refused', () => {
    expect(parseMail('FROM:<a@b.test> AUTH')).toBe(replies.badArguments);
  });
});
