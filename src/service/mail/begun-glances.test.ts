// Glances begun before their messages are stored, because a client is waiting for them.
import { expect, it, onTestFinished } from 'vitest';

import { createGate } from '../../../test/support/gate.ts';
import { openServices, plainMail, type Services } from '../../../test/support/service/service-fixture.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Session } from '../../domain/session.ts';
import { checkMail } from './check-mail.ts';
import { createMessageGlances } from './message-glances.ts';

const owner = { session: 'a', network: '192.0.2.1' };

function awaitMail({ deps }: Services, session: Session, kind: 'stream' | 'wait' = 'stream'): void {
  const watcher = { onWake: () => undefined, onClose: () => undefined };
  onTestFinished(deps.live.enter(kind, session.key, watcher));
}

it.each(['stream', 'wait'] as const)(
  'are with the parser before the store has the message, where a %s waits for it',
  async (kind) => {
    const gate = createGate();
    const services = await openServices({ beforeParsing: gate.pass });
    const session = await services.lend();
    awaitMail(services, session, kind);
    const delivered = services.deliver(plainMail('One', 'The fox jumps.'), session);
    await gate.reached;
    expect((await services.refresh(session)).messageCount).toBe(0);
    await delivered;
    const listed = checkMail(services.deps, await services.refresh(session));
    gate.open();
    expect((await listed)[0]?.preview).toBe('The fox jumps.');
    expect(services.parserCalls.glance).toBe(1);
  },
);

it('are made once for all sessions that wait, and kept as others are', async () => {
  const services = await openServices();
  const sessions = [await services.lend(), await services.lend()];
  for (const session of sessions) awaitMail(services, session);
  await services.deliver(plainMail('One', 'The fox jumps.'), ...sessions);
  await services.deps.glances.close();
  for (const session of sessions) {
    expect((await services.store.mail.findMessage(session.key, 1))?.glance).not.toBeNull();
    const [listed] = await checkMail(services.deps, await services.refresh(session));
    expect(listed?.preview).toBe('The fox jumps.');
  }
  expect(services.parserCalls.glance).toBe(1);
});

it('are not made when no reader waits', async () => {
  const services = await openServices();
  const [awaited, other] = [await services.lend(), await services.lend()];
  awaitMail(services, awaited);
  await services.deliver(plainMail('One'), other);
  expect(services.parserCalls.glance).toBe(0);
});

it('leave nothing behind where the message is not stored', async () => {
  const services = await openServices({ limits: { sessionMessages: 1 } });
  const session = await services.lend();
  awaitMail(services, session);
  await services.deliver(plainMail('One', 'The fox jumps.'), session);
  await services.deliver(plainMail('Two', 'The hen sits.'), session);
  await services.deps.glances.close();
  const listed = await checkMail(services.deps, await services.refresh(session));
  expect(listed.map(({ preview }) => preview)).toEqual(['The fox jumps.']);
});

it('are made by the next reader when the parser had no room for them', async () => {
  const services = await openServices();
  const session = await services.lend();
  const { mail } = services.store;
  let isBusy = true;
  const parser = {
    ...services.deps.parser,
    glance: (head: Uint8Array) =>
      isBusy
        ? Promise.reject(new MayflyError('unavailable', 'Busy.'))
        : services.deps.parser.glance(head, owner),
  };
  const onError = (error: unknown): never => {
    throw error;
  };
  const glances = createMessageGlances({ mail, turns: services.deps.turns, parser, onError });
  const raw = plainMail('One', 'The fox jumps.');
  const recordStored = glances.begin(Buffer.from(raw), owner);
  const id = await services.deliver(raw, session);
  recordStored?.(await services.refresh(session), id);
  const stored = await mail.findMessage(session.key, id);
  if (!stored) throw new Error('The message is not there.');
  isBusy = false;
  expect((await glances.glance(session, stored))?.preview).toBe('The fox jumps.');
});

it('are begun for no more than 64 messages at once, and for others when those are made', async () => {
  const gate = createGate();
  const services = await openServices({ beforeParsing: gate.pass });
  const { glances } = services.deps;
  const begin = (): boolean => glances.begin(Buffer.from(plainMail('One')), owner) !== undefined;
  expect(Array.from({ length: 65 }, begin).filter(Boolean)).toHaveLength(64);
  gate.open();
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(begin()).toBe(true);
});
