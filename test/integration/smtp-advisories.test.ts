// Published vulnerabilities of mail receivers, by id, played against a real listener with the original input. Floods
// and long lines are in smtp-threats.test.ts, STARTTLS in smtp-starttls.test.ts; the engine's own tests cut each of
// these at every offset.

import { setImmediate as turn } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { SmtpClient } from '../support/smtp/smtp-client.ts';
import { type SmtpFixture, startSmtp } from '../support/smtp/smtp-fixture.ts';
import type { OpenSession } from '../../src/service/session/session-access.ts';

let fixture: SmtpFixture;
let victim: OpenSession;
let other: OpenSession;

beforeEach(async () => {
  fixture = await startSmtp();
  victim = await fixture.lend('victim');
  other = await fixture.lend('other');
});

afterEach(async () => {
  expect(fixture.errors).toEqual([]);
  // Whatever was played, the listener serves the next client.
  expect(await (await fixture.greet()).deliver('Subject: after\r\n\r\n', other.address)).toMatch(/^250/);
});

/** Starts a client in a transaction for the victim. */
async function begin(): Promise<SmtpClient> {
  const client = await fixture.greet();
  await client.command('MAIL FROM:<a@b.test>');
  await client.command(`RCPT TO:<${victim.address}>`);
  return client;
}

/** Sends each byte in a separate segment, as far as the machine allows. */
async function trickle(client: SmtpClient, text: string): Promise<void> {
  for (const byte of Buffer.from(text, 'latin1')) {
    client.send(Buffer.of(byte));
    await turn();
  }
}

describe('VU#302671: a false end of data', () => {
  const advisories: Record<string, readonly string[]> = {
    'CVE-2023-51764 (Postfix)': ['\n.\n', '\n.\r\n', '\r\n.\n'],
    'CVE-2023-51765 (sendmail)': ['\n.\r\n', '\r\n.\n', '\r\n\0.\r\n', '\r\n.\0\r\n'],
    'CVE-2023-51766 (Exim)': ['\n.\n', '\r\n.\n', '\n.\r\n'],
    'CVE-2023-51747 (Apache James)': ['\n.\n', '\n.\r', '\r.\n', '\r.\r'],
    'CVE-2024-27305 (aiosmtpd)': ['\n.\r\n', '\r.\r\n'],
    'Haraka #3268 and go-smtp PR 246': ['\r\n.\r', '\r.\r\n', '\n.\r\n'],
    'Postfix HISTORY 20260816': ['\r\n.\r\r\n', '\r\r\n.\r\r\n'],
  };
  const forms = Object.entries(advisories).flatMap(([id, ends]) => ends.map((end) => [id, end] as const));

  it.each(forms)('%s: %j is not one', async (_, end) => {
    const smuggled = `MAIL FROM:<admin@b.test>\r\nRCPT TO:<${other.address}>\r\nDATA\r\nSubject: smuggled\r\n\r\nx\r\n.\r\n`;
    const sent = Buffer.from(`Subject: first\r\n\r\ntext${end}${smuggled}`, 'latin1');
    const hasNul = end.includes('\0');
    const expected = hasNul ? /^250 2\.0\.0 OK / : /^550 5\.6\.11 /;
    const endAt = sent.indexOf(end, 0, 'latin1');
    const cuts = [[], ...Array.from({ length: end.length + 1 }, (_unused, at) => [endAt + at])];
    for (const cut of cuts) {
      const client = await begin();
      expect(await client.command('DATA')).toMatch(/^354/);
      let from = 0;
      for (const to of [...cut, sent.length]) {
        client.send(sent.subarray(from, to));
        from = to;
        await turn();
      }
      expect(await client.readReply()).toMatch(expected);
      expect(await client.command('NOOP')).toBe('250 2.0.0 OK');
      client.socket.destroy();
    }
    const client = await begin();
    await client.command('DATA');
    await trickle(client, sent.toString('latin1'));
    expect(await client.readReply()).toMatch(expected);
    const stored = await fixture.textsOf(victim);
    expect(stored).toHaveLength(hasNul ? cuts.length + 1 : 0);
    // One message, unstuffed: everything after the false end was text.
    const whole = sent.toString('latin1').slice(0, -3).replaceAll('\r\n.', '\r\n');
    for (const text of stored) expect(text).toBe(whole);
    expect(await fixture.textsOf(other)).toEqual([]);
  });
});

describe('miscounted octets', () => {
  // The chunk is abandoned in the middle of its command: Exim read the octets of the next one into freed memory.
  it('CVE-2017-16943 (Exim): a broken BDAT after a chunk, with more after it, ends the dialogue', async () => {
    const client = await begin();
    client.send('BDAT 1\r\n');
    client.send(`xBDAT \x7f\r\n${'z'.repeat(10_000)}\r\nMAIL FROM:<evil@b.test>\r\n`);
    const lines = [await client.readReply(), ...(await client.closed)];
    expect(lines.map((line) => line.slice(0, 9)).slice(0, 2)).toEqual(['250 2.0.0', '500 5.5.2']);
    expect(lines.at(-1)).toMatch(/^500 5\.5\.2 /);
    expect(await fixture.textsOf(victim)).toEqual([]);
  });

  it('CVE-2017-16944 (Exim): a lone dot in a chunk is an octet of it, not its end', async () => {
    const client = await begin();
    client.send('BDAT 10\r\n.\r\n');
    expect(client.takeLines()).toEqual([]);
    client.send('.\r\nQUIT');
    expect(await client.readReply()).toBe('250 2.0.0 10 octets received');
    expect(await client.command('BDAT 2 LAST\r\n')).toMatch(/^250 2\.0\.0 OK /);
    expect(await fixture.textsOf(victim)).toEqual(['.\r\n.\r\nQUIT\r\n']);
  });

  it.each(['18446744073709551615', '18446744073709551617', '4294967297', '-1', '99999999999999999999 LAST'])(
    'go-smtp: BDAT %s takes nothing for a command that follows',
    async (words) => {
      const client = await begin();
      client.send(`BDAT ${words}\r\nRSET\r\nMAIL FROM:<evil@b.test>\r\nRCPT TO:<${other.address}>\r\n`);
      expect((await client.closed).map((line) => line.slice(0, 3))).toEqual([
        expect.stringMatching(/^5(?:01|52)$/),
      ]);
    },
  );

  it('go-smtp: the octets of a chunk whose recipients were refused are dropped, not run', async () => {
    const client = await fixture.greet();
    await client.command('MAIL FROM:<a@b.test>');
    await client.command('RCPT TO:<nobody@mayfly.test>');
    const smuggled = `RSET\r\nMAIL FROM:<evil@b.test>\r\nRCPT TO:<${other.address}>\r\n`;
    client.send(`BDAT ${smuggled.length} LAST\r\n${smuggled}NOOP\r\n`);
    expect([await client.readReply(), await client.readReply()]).toEqual([
      '554 5.5.1 No valid recipients',
      '250 2.0.0 OK',
    ]);
  });
});

describe('line ends in the envelope', () => {
  it.each([
    ['GHSA-54wq-72mp-cq7c, CVE-2026-23829 (Mailpit)', 'a\rX-Evil: 1@b.test'],
    ['GHSA-54wq-72mp-cq7c, CVE-2026-23829 (Mailpit)', 'a@b.test\rX-Evil: 1'],
    ['GHSA-g7hc-96xr-gvvx (MimeKit)', '"a\r\tX-Evil: 1"@b.test'],
    ['GHSA-g7hc-96xr-gvvx (MimeKit)', '"a\\\rX-Evil: 1"@b.test'],
    ['GHSA-vvjj-xcjg-gr5g (nodemailer)', 'a\nX-Evil: 1@b.test'],
    ['GHSA-c7w3-x93f-qmm8 (nodemailer)', 'a@b.test> SIZE=10\nX-Evil: <1'],
  ])('%s: %j reaches neither a message nor another field', async (_, path) => {
    for (const command of ['MAIL FROM', 'RCPT TO']) {
      const client = await fixture.greet();
      if (command === 'RCPT TO') await client.command('MAIL FROM:<a@b.test>');
      expect(await client.command(`${command}:<${path}>`)).toMatch(/^500 5\.5\.2 /);
      expect(await client.command('RSET')).toMatch(/^(?:250 2\.0\.0|500 5\.5\.2) /);
      client.socket.destroy();
    }
    const client = await fixture.greet();
    expect(await client.command(`EHLO ${path}`)).toMatch(/^500 5\.5\.2 /);
    client.socket.destroy();
    expect(await (await fixture.greet()).deliver('Subject: x\r\n\r\n', victim.address)).toMatch(/^250/);
    expect(await fixture.textsOf(victim)).toEqual(['Subject: x\r\n\r\n']);
  });
});

describe('a client that does not wait', () => {
  it('Postfix smtpd_forbid_unauth_pipelining: a message after DATA is refused, and what follows is not read', async () => {
    const client = await fixture.greet();
    const group = (to: OpenSession): string => `MAIL FROM:<a@b.test>\r\nRCPT TO:<${to.address}>\r\nDATA\r\n`;
    client.send(`${group(victim)}Subject: x\r\n\r\n.\r\n${group(other)}Subject: y\r\n\r\n.\r\nQUIT\r\n`);
    expect((await client.closed).map((line) => line.slice(0, 9))).toEqual([
      '250 2.1.0',
      '250 2.1.5',
      '554 5.5.0',
    ]);
    expect([await fixture.textsOf(victim), await fixture.textsOf(other)]).toEqual([[], []]);
  });

  it('a browser made to POST a dialogue is refused at its first line', async () => {
    const client = await fixture.connect();
    client.send(
      `POST / HTTP/1.1\r\nHost: mx.test:25\r\n\r\nEHLO x\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<${victim.address}>\r\n`,
    );
    expect(await client.closed).toEqual(['554 5.5.0 Data before the greeting']);
  });
});
