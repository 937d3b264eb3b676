// Mail that fails on purpose, over real sockets: at every stage, by label and by AUTH, and never for other sessions.

import { describe, expect, it } from 'vitest';

import type { FaultRequest } from '../../src/domain/smtp-fault.ts';
import { eventually } from '../support/eventually.ts';
import type { SmtpClient } from '../support/smtp/smtp-client.ts';
import { type LentCapture, type SmtpFixture, startSmtp } from '../support/smtp/smtp-fixture.ts';

const mail = 'Subject: x\r\n\r\ntext\r\n';

interface Faulty {
  readonly fixture: SmtpFixture;
  readonly lent: LentCapture;
  /** An address at its label. */
  readonly address: string;
}

async function startWith(...rules: readonly FaultRequest[]): Promise<Faulty> {
  const fixture = await startSmtp();
  const lent = await fixture.capture();
  fixture.services.setSmtpFaults(lent.session, rules);
  return { fixture, lent, address: `any@${lent.label}.mayfly.test` };
}

function login(client: SmtpClient, { label, token }: LentCapture): Promise<string> {
  return client.command(`AUTH PLAIN ${Buffer.from(`\0${label}\0${token}`).toString('base64')}`);
}

/**
 * Returns the replies to MAIL, RCPT, DATA and the end of data, up to the first refusal or the end of the connection.
 */
async function send(client: SmtpClient, ...recipients: readonly string[]): Promise<string[]> {
  const replies: string[] = [];
  const lines = ['MAIL FROM:<a@b.test>', ...recipients.map((one) => `RCPT TO:<${one}>`), 'DATA', `${mail}.`];
  for (const line of lines) {
    try {
      replies.push(await client.command(line));
    } catch {
      return [...replies, 'closed'];
    }
    if (!/^[23]/.test(replies.at(-1) ?? '')) break;
  }
  return replies;
}

const codesOf = (replies: readonly string[]): string[] =>
  replies.map((reply) => (reply === 'closed' ? reply : reply.slice(0, 3)));

/** Resolves once the first rule has been applied. */
function untilApplied({ services }: SmtpFixture, { session }: LentCapture): Promise<true> {
  const ask = (): true | undefined => (services.showSmtpFaults(session)[0]?.fired === 1 ? true : undefined);
  return eventually(() => Promise.resolve(ask()), 'the rule strikes');
}

/** Returns the delivery log, newest first, once it has this many entries. */
function loggedReplies(fixture: SmtpFixture, lent: LentCapture, count: number): Promise<string[]> {
  return eventually(async () => {
    const attempts = await fixture.attemptsOf(lent.session);
    return attempts.length < count ? undefined : attempts.map(({ reply }) => reply);
  }, 'the log tells of it');
}

describe('a rule applies', () => {
  const code = 471;

  it.each<[FaultRequest, readonly string[]]>([
    [{ stage: 'rcpt', code }, ['250', '471']],
    [{ stage: 'data', code }, ['250', '250', '471']],
    [{ stage: 'end_of_data', code: 571 }, ['250', '250', '354', '571']],
    [{ stage: 'rcpt', drops: true }, ['250', 'closed']],
    [{ stage: 'data', drops: true }, ['250', '250', 'closed']],
    [{ stage: 'end_of_data', drops: true }, ['250', '250', '354', 'closed']],
    [{ stage: 'rcpt', delayMs: 20 }, ['250', '250', '354', '250']],
    [{ stage: 'data', delayMs: 20 }, ['250', '250', '354', '250']],
    [{ stage: 'end_of_data', delayMs: 20, code }, ['250', '250', '354', '471']],
    [{ stage: 'mail', code }, ['250', '250', '354', '250']],
    [{ stage: 'auth', code }, ['250', '250', '354', '250']],
    [{ stage: 'rcpt', probability: 0, code }, ['250', '250', '354', '250']],
  ])('%j on mail to its label: %j', async (rule, codes) => {
    const { fixture, lent, address } = await startWith(rule);
    expect(codesOf(await send(await fixture.greet(), address))).toEqual(codes);
    const isStored = codes.length === 4 && codes[3] === '250';
    expect(await fixture.textsOf(lent.session)).toEqual(isStored ? [mail] : []);
    expect(fixture.errors).toEqual([]);
  });

  it.each<[FaultRequest, readonly string[]]>([
    [{ stage: 'mail', code }, ['235', '471']],
    [{ stage: 'mail', drops: true }, ['235', 'closed']],
    [{ stage: 'mail', delayMs: 20 }, ['235', '250', '250', '354', '250']],
    [{ stage: 'rcpt', code: 421 }, ['235', '250', '421']],
    [{ stage: 'end_of_data', code }, ['235', '250', '250', '354', '471']],
  ])('%j on a connection that authenticated: %j', async (rule, codes) => {
    const { fixture, lent } = await startWith(rule);
    const client = await fixture.greet();
    const replies = [await login(client, lent), ...(await send(client, 'anybody@foreign.test'))];
    expect(codesOf(replies)).toEqual(codes);
  });

  it('at AUTH, in place of its reply, and the connection belongs to no session', async () => {
    const { fixture, lent } = await startWith({ stage: 'auth', code: 535, text: '5.7.8 No', first: 1 });
    const client = await fixture.greet();
    expect(await login(client, lent)).toBe('535 5.7.8 No');
    expect(codesOf(await send(client, 'anybody@foreign.test'))).toEqual(['250', '550']);
    await client.command('RSET');
    expect(await login(client, lent)).toMatch(/^235 /);
  });

  it('at connect, when the connection’s session is known, and ends it', async () => {
    const { fixture, lent } = await startWith({ stage: 'connect', code: 554, text: 'Go away' });
    const client = await fixture.greet();
    expect(await login(client, lent)).toBe('554 5.0.0 Go away');
    expect(await client.closed).toEqual([]);
  });

  it('with 421 as its last word', async () => {
    const { fixture, address } = await startWith({ stage: 'data', code: 421, text: '4.3.2 Later' });
    const client = await fixture.greet();
    expect((await send(client, address)).at(-1)).toBe('421 4.3.2 Later');
    expect(await client.closed).toEqual([]);
  });
});

describe('counting', () => {
  it('fails the first N', async () => {
    const { fixture, lent, address } = await startWith({ stage: 'rcpt', code: 450, first: 2 });
    const lasts: string[] = [];
    for (let count = 0; count < 4; count++) {
      lasts.push(...codesOf(await send(await fixture.greet(), address)).slice(-1));
    }
    expect(lasts).toEqual(['450', '450', '250', '250']);
    expect(fixture.services.showSmtpFaults(lent.session)).toMatchObject([{ stage: 'rcpt', fired: 2 }]);
  });

  it('greylists each sender and recipient once', async () => {
    const { fixture, lent } = await startWith({ stage: 'rcpt', isGreylist: true });
    const client = await fixture.greet();
    const at = (name: string): string => `${name}@${lent.label}.mayfly.test`;
    const lasts: string[] = [];
    for (const name of ['a', 'a', 'b', 'a', 'b']) {
      lasts.push(...codesOf(await send(client, at(name))).slice(-1));
      await client.command('RSET');
    }
    expect(lasts).toEqual(['451', '250', '451', '250', '250']);
  });

  it('is the same sequence for the same seed', async () => {
    const sequences: string[] = [];
    for (let run = 0; run < 2; run++) {
      const { fixture, address } = await startWith({ stage: 'rcpt', code: 450, probability: 50, seed: 3 });
      const client = await fixture.greet();
      await client.command('MAIL FROM:<a@b.test>');
      const codes: string[] = [];
      for (let count = 0; count < 40; count++) {
        codes.push((await client.command(`RCPT TO:<${count}-${address}>`)).slice(0, 3));
      }
      sequences.push(codes.join());
    }
    expect(sequences[0]).toBe(sequences[1]);
    expect(new Set(sequences[0]?.split(','))).toEqual(new Set(['250', '450']));
  });
});

describe('mail for others', () => {
  const rules: readonly FaultRequest[] = [
    { stage: 'rcpt', code: 450 },
    { stage: 'rcpt', drops: true },
    { stage: 'rcpt', delayMs: 30_000 },
    { stage: 'data', code: 450 },
    { stage: 'data', drops: true },
    { stage: 'end_of_data', code: 550 },
    { stage: 'end_of_data', drops: true },
    { stage: 'end_of_data', code: 421 },
  ];

  it.each(rules)('in the same transaction is unaffected by %j', async (rule) => {
    const { fixture, lent, address } = await startWith(rule);
    const fox = await fixture.lend('fox');
    const client = await fixture.greet();
    await client.command('MAIL FROM:<a@b.test>');
    expect(await client.command(`RCPT TO:<${fox.address}>`)).toMatch(/^250 /);
    const atCapture = await client.command(`RCPT TO:<${address}>`);
    expect(atCapture.slice(0, 3)).toBe(rule.stage === 'rcpt' && rule.code ? '450' : '250');
    expect(await client.command('DATA')).toMatch(/^354 /);
    expect(await client.command(`${mail}.`)).toMatch(/^250 /);
    expect(await fixture.textsOf(fox)).toEqual([mail]);
    expect(await fixture.textsOf(lent.session)).toEqual(atCapture.startsWith('250') ? [mail] : []);
  });

  it.each(rules.filter(({ stage }) => stage !== 'rcpt'))(
    'named last is unaffected too by %j, and so is that of another capture session',
    async (rule) => {
      const { fixture, address } = await startWith(rule);
      const fox = await fixture.lend('fox');
      const other = await fixture.capture();
      for (const name of [fox.address, `x@${other.label}.mayfly.test`, 'postmaster@mayfly.test']) {
        expect(codesOf(await send(await fixture.greet(), address, name)).at(-1)).toBe('250');
      }
      expect(await fixture.textsOf(fox)).toEqual([mail]);
      expect(await fixture.textsOf(other.session)).toEqual([mail]);
    },
  );

  it('over an authenticated connection is unaffected from RCPT on', async () => {
    const { fixture, lent } = await startWith(...rules);
    const fox = await fixture.lend('fox');
    const client = await fixture.greet();
    await login(client, lent);
    expect(codesOf(await send(client, fox.address)).at(-1)).toBe('250');
    expect(await fixture.textsOf(fox)).toEqual([mail]);
  });
});

describe('a delay', () => {
  it('ends with the connection, and the message is not stored', async () => {
    const { fixture, lent, address } = await startWith({ stage: 'end_of_data', delayMs: 30_000 });
    const client = await fixture.greet();
    await client.startData(address);
    client.send(`${mail}.\r\n`);
    await untilApplied(fixture, lent);
    client.socket.destroy();
    expect(await loggedReplies(fixture, lent, 1)).toEqual(['421 4.4.2 Connection lost']);
    expect(await fixture.textsOf(lent.session)).toEqual([]);
  });

  it('ends with the service, which stores what it holds', async () => {
    const { fixture, lent, address } = await startWith({ stage: 'end_of_data', delayMs: 30_000 });
    const client = await fixture.greet();
    await client.startData(address);
    client.send(`${mail}.\r\n`);
    await untilApplied(fixture, lent);
    const closing = fixture.server.close(25_000);
    expect(await client.readReply()).toMatch(/^250 /);
    client.socket.end();
    await closing;
    expect(await fixture.textsOf(lent.session)).toEqual([mail]);
  });
});

it('is over with the session', async () => {
  const { fixture, lent } = await startWith({ stage: 'rcpt' });
  await fixture.services.endSession(lent.session);
  expect(fixture.services.showSmtpFaults(lent.session)).toEqual([]);
});

it.each<[FaultRequest, string]>([
  [{ stage: 'rcpt', code: 450, text: 'One' }, '450 4.0.0 One'],
  [{ stage: 'data', text: '4.3.0 Two' }, '451 4.3.0 Two'],
  [{ stage: 'end_of_data', code: 550, text: 'Three' }, '550 5.0.0 Three'],
  [{ stage: 'end_of_data', drops: true }, '421 4.4.2 Connection lost'],
])('%j is noted in the session’s delivery log', async (rule, reply) => {
  const { fixture, lent, address } = await startWith(rule);
  await send(await fixture.greet(), address);
  expect(await loggedReplies(fixture, lent, 1)).toEqual([reply]);
});
