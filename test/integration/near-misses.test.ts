// Reports to a session about refused recipients spelled almost like its address, over a real socket.

import { describe, expect, it } from 'vitest';

import { createRefusedRecipients, refusedKeptMs } from '../../src/service/records/refused-recipients.ts';
import type { SmtpClient } from '../support/smtp/smtp-client.ts';
import { type SmtpFixture, startSmtp } from '../support/smtp/smtp-fixture.ts';
import type { OpenSession } from '../../src/service/session/session-access.ts';

const unknown = '550 5.1.1 No such recipient';

async function missesOf({ services, store }: SmtpFixture, session: OpenSession): Promise<string[]> {
  const live = { session, now: store.clock.now() };
  const { nearMisses } = await services.showSession(live, undefined);
  return nearMisses.map(({ recipient }) => recipient);
}

async function begin(fixture: SmtpFixture): Promise<SmtpClient> {
  const client = await fixture.greet();
  await client.command('MAIL FROM:<secret-sender@client.test>');
  return client;
}

async function tryAll(client: SmtpClient, recipients: readonly string[], reply = /^550/): Promise<void> {
  for (const recipient of recipients) {
    expect(await client.command(`RCPT TO:<${recipient}>`), recipient).toMatch(reply);
  }
}

describe('a session learns of a misspelt recipient', () => {
  it('with the reply that its sender got, and nothing of the sender', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('quiet-fox');
    await tryAll(await begin(fixture), ['qiet-fox@mayfly.test']);
    const live = { session, now: fixture.store.clock.now() };
    const { nearMisses, attempts } = await fixture.services.showSession(live, undefined);
    expect(nearMisses).toEqual([
      { at: expect.any(Number), recipient: 'qiet-fox@mayfly.test', reply: unknown },
    ]);
    expect(Math.abs((nearMisses[0]?.at ?? 0) - live.now)).toBeLessThan(60_000);
    expect(attempts).toEqual([]);
  });

  it('by at most two letters, newest first, in any case, with tags', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('quiet-fox');
    const like = ['quietfox', 'qiute-fox', 'Quiet-Foxy', 'qiet-fox+shop', 'quiet-fxo'];
    const unlike = ['qietfoxx', 'fox', 'quiet-wolf', 'quiet', 'quiet-foxes-1'];
    const all = [...like, ...unlike].map((name) => `${name}@mayfly.test`);
    await tryAll(await begin(fixture), all);
    await tryAll(await begin(fixture), ['quiet-fox@mayfly.example', 'qiet-fox@elsewhere.example']);
    expect(await missesOf(fixture, session)).toEqual(like.map((name) => `${name}@mayfly.test`).reverse());
  });

  it('for its own name with a tag where tags are not taken', async () => {
    const fixture = await startSmtp();
    await fixture.store.directory.changeDomain('mayfly.test', { takesPlusTags: false });
    const session = await fixture.lend('quiet-fox');
    await tryAll(await begin(fixture), ['quiet-fox+shop@mayfly.test']);
    expect(await missesOf(fixture, session)).toEqual(['quiet-fox+shop@mayfly.test']);
  });

  it('with fewer letters allowed the shorter its name is', async () => {
    const fixture = await startSmtp();
    const [three, five] = [await fixture.lend('fox'), await fixture.lend('foxes')];
    await tryAll(await begin(fixture), ['fix@mayfly.test', 'foxe@mayfly.test', 'fixe@mayfly.test']);
    expect(await missesOf(fixture, three)).toEqual([]);
    expect(await missesOf(fixture, five)).toEqual(['foxe@mayfly.test']);
  });

  it('also where it is a capture session whose label is misspelt', async () => {
    const fixture = await startSmtp();
    const { session, label } = await fixture.capture();
    const other = await fixture.capture();
    const swapped = `${label.slice(0, -1)}${label.endsWith('z') ? 'y' : 'z'}`;
    await fixture.store.directory.addDomain(`${label.slice(0, 7)}9.mayfly.test`, 0, 0);
    const like = [
      `ann@${swapped}.mayfly.test`,
      `bob@${label.slice(1)}.mayfly.test`,
      `eve@${label}2.mayfly.test`,
    ];
    const unlike = [
      ...[`ann@${label.slice(0, 5)}.mayfly.test`, `ann@${swapped}.mayfly.example`],
      `ann@${label.slice(0, 7)}9.mayfly.test`,
    ];
    await tryAll(await begin(fixture), [...like, ...unlike]);
    expect((await missesOf(fixture, session)).sort()).toEqual(like.sort());
    expect(await missesOf(fixture, other.session)).toEqual([]);
  });
});

describe('a session learns nothing', () => {
  it('about an address that another holds, held or has got since', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('quiet-fox');
    const ended = await fixture.lend('quiet-fix');
    await fixture.store.mail.endSession(ended.key);
    while (await fixture.store.mail.reclaim(50));
    const capture = await fixture.capture();
    const other = await fixture.capture();
    await fixture.store.mail.endSession(other.session.key);
    const client = await begin(fixture);
    await tryAll(client, ['quiet-fix@mayfly.test', 'quiet-fix+tag@mayfly.test', 'quiet-fax@mayfly.test']);
    await tryAll(client, [`ann@${other.label}.mayfly.test`]);
    const taken = await fixture.lend('quiet-fax');
    await fixture.lend('quiet-fux');
    await tryAll(client, ['quiet-fux@mayfly.test'], /^250/);
    expect(await missesOf(fixture, session)).toEqual([]);
    expect(await missesOf(fixture, capture.session)).toEqual([]);
    expect(await missesOf(fixture, taken)).toEqual([]);
  });

  it('about reserved names, letters beyond ASCII, and earlier attempts', async () => {
    const fixture = await startSmtp();
    const client = await begin(fixture);
    await tryAll(client, ['rootss@mayfly.test', 'roots-2@mayfly.test']);
    fixture.store.clock.advance(1000);
    const session = await fixture.lend('roots-1');
    await client.command('RSET');
    await client.command('MAIL FROM:<> SMTPUTF8');
    await tryAll(client, ['root@mayfly.test', 'ro\u043Ets-1@mayfly.test', '"roots 1"@mayfly.test']);
    expect(await missesOf(fixture, session)).toEqual([]);
  });

  it('through a share', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('quiet-fox');
    await tryAll(await begin(fixture), ['qiet-fox@mayfly.test']);
    const live = { session, now: fixture.store.clock.now() };
    const share = { id: 1, messageId: null, expiresAt: session.expiresAt };
    const shown = await fixture.services.showSession(live, share as never);
    expect(shown.nearMisses).toEqual([]);
  });
});

describe('a flood of guesses', () => {
  it('displaces old ones, and never shows more than ten', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('quiet-fox');
    let now = fixture.store.clock.now();
    const { finder, directory } = fixture.store;
    const refused = createRefusedRecipients({ finder, directory, clock: () => now });
    const note = (localPart: string): void => {
      refused.note({ localPart, domain: 'mayfly.test' }, unknown, false);
    };
    const list = async (): Promise<string[]> =>
      (await refused.listLike({ session, now })).map(({ recipient }) => recipient);
    note('qiet-fox');
    for (let count = 0; count < 1000; count++) note(`guess-${count}`);
    expect(await list()).toEqual(['qiet-fox@mayfly.test']);
    for (let count = 0; count < 100; count++) note(`guess-${count}`);
    expect(await list()).toEqual([]);
    for (let count = 0; count < 100; count++) note(`quiet-fox${count}`);
    expect(await list()).toHaveLength(10);
    for (let count = 0; count < 300; count++) {
      refused.note({ localPart: 'x', domain: `relay-${count % 9}.example` }, 'x', true);
    }
    expect(await list()).toHaveLength(10);
    now += refusedKeptMs + 1;
    expect(await list()).toEqual([]);
  });

  it('costs a bounded number of look-ups', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('quiet-fox');
    let lookUps = 0;
    const finder = { isKnownAddress: () => Promise.resolve(++lookUps > 0) };
    const refused = createRefusedRecipients({ clock: Date.now, finder, directory: fixture.store.directory });
    const now = fixture.store.clock.now();
    for (let count = 0; count < 1000; count++) {
      refused.note({ localPart: `quiet-fo${count % 10}+tag`, domain: 'mayfly.test' }, unknown, false);
    }
    expect(await refused.listLike({ session, now })).toEqual([]);
    expect(lookUps).toBeLessThan(100);
  });
});
