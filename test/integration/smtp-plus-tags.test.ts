// `name+tag@` reaches the holder of `name@` on the operator's domains, in the dialogue and in what readers see.

import { expect, it } from 'vitest';

import { type SmtpFixture, startSmtp, testDomain } from '../support/smtp/smtp-fixture.ts';
import { type OpenSession, stillOpen } from '../../src/service/session/session-access.ts';

const text = 'From: Ann <ann@shop.example>\r\nSubject: x\r\n\r\nHello\r\n';

async function send(fixture: SmtpFixture, ...localParts: readonly string[]): Promise<string[]> {
  const client = await fixture.greet();
  await client.command('MAIL FROM:<a@b.example>');
  const replies: string[] = [];
  for (const localPart of localParts) {
    replies.push((await client.command(`RCPT TO:<${localPart}@${testDomain}>`)).slice(0, 3));
  }
  if (!replies.includes('250')) return replies;
  await client.command('DATA');
  return [...replies, (await client.command(`${text}.`)).slice(0, 3)];
}

async function listOf({ services }: SmtpFixture, session: OpenSession) {
  const lookup = await services.findSession(session.key);
  if (lookup.state !== 'live') throw new Error('The session is over.');
  return services.checkMail(stillOpen(lookup.session, session));
}

it('accepts any tag for the holder, as the sender spelled it', async () => {
  const fixture = await startSmtp();
  const fox = await fixture.lend('quiet-fox');
  const other = await fixture.lend('other');
  for (const localPart of ['quiet-fox+Shop', 'QUIET-FOX+a+b', 'quiet-fox+', '"quiet-fox+a b"', 'quiet-fox']) {
    expect([localPart, await send(fixture, localPart)]).toEqual([localPart, ['250', '250']]);
  }
  const listed = await listOf(fixture, fox);
  expect(listed.map(({ recipients, tags }) => [recipients, tags]).toReversed()).toEqual([
    [[`quiet-fox+Shop@${testDomain}`], ['Shop']],
    [[`QUIET-FOX+a+b@${testDomain}`], ['a+b']],
    [[`quiet-fox+@${testDomain}`], []],
    [[`"quiet-fox+a b"@${testDomain}`], ['a b']],
    [[`quiet-fox@${testDomain}`], []],
  ]);
  expect(await listOf(fixture, other)).toEqual([]);
});

it('stores one copy for two tags of one transaction, which names both and no other session’s', async () => {
  const fixture = await startSmtp();
  const fox = await fixture.lend('quiet-fox');
  const other = await fixture.lend('other');
  expect(await send(fixture, 'quiet-fox+a', 'other+c', 'quiet-fox+B')).toEqual(['250', '250', '250', '250']);
  expect(await listOf(fixture, fox)).toMatchObject([
    { recipients: [`quiet-fox+a@${testDomain}`, `quiet-fox+B@${testDomain}`], tags: ['a', 'B'] },
  ]);
  expect(await listOf(fixture, other)).toMatchObject([
    { recipients: [`other+c@${testDomain}`], tags: ['c'] },
  ]);
});

it('refuses a tag after an unknown name, after none, and an overlong one', async () => {
  const fixture = await startSmtp();
  const fox = await fixture.lend('quiet-fox');
  const ended = await fixture.lend('ended');
  await fixture.store.mail.endSession(ended.key);
  for (const localPart of ['+shop', 'nobody+shop', 'ended+shop', 'quiet-foxes+shop', 'fox+quiet']) {
    expect([localPart, await send(fixture, localPart)]).toEqual([localPart, ['550']]);
  }
  // RFC 5321 §4.5.3.1.1: 64 octets.
  expect(await send(fixture, `quiet-fox+${'x'.repeat(54)}`)).toEqual(['250', '250']);
  expect((await send(fixture, `quiet-fox+${'x'.repeat(55)}`))[0]).toMatch(/^5/);
  expect(await listOf(fixture, fox)).toHaveLength(1);
});

it('accepts none on a domain where the operator switched them off', async () => {
  const fixture = await startSmtp();
  await fixture.lend('quiet-fox');
  await fixture.store.directory.changeDomain(testDomain, { takesPlusTags: false });
  expect(await send(fixture, 'quiet-fox+shop')).toEqual(['550']);
  expect(await send(fixture, 'quiet-fox')).toEqual(['250', '250']);
  await fixture.store.directory.changeDomain(testDomain, { takesPlusTags: true });
  expect(await send(fixture, 'quiet-fox+shop')).toEqual(['250', '250']);
});

it('treats a full session as full, whatever the tag', async () => {
  const fixture = await startSmtp({ quota: { messages: 1, bytes: 1_000_000 } });
  await fixture.lend('quiet-fox');
  expect(await send(fixture, 'quiet-fox+a')).toEqual(['250', '250']);
  expect(await send(fixture, 'quiet-fox+b')).toEqual(['452']);
});

it('looks up a tagged address exactly first, before it is read as a tag', async () => {
  const fixture = await startSmtp();
  const asked: string[] = [];
  const find = fixture.store.mail.findLiveSession.bind(fixture.store.mail);
  fixture.store.mail.findLiveSession = (key) => {
    asked.push(String(key));
    return find(key);
  };
  await fixture.lend('quiet-fox');
  await send(fixture, 'quiet-fox+Shop');
  expect(asked).toEqual([`quiet-fox+shop@${testDomain}`, `quiet-fox@${testDomain}`]);
  asked.length = 0;
  await send(fixture, 'quiet-fox');
  expect(asked).toEqual([`quiet-fox@${testDomain}`]);
});
