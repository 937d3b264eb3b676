// Simulates a network that decides when a client reads, with a response that drains on request.
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { openServices, plainMail } from '../../../test/support/service/service-fixture.ts';
import { bindTestServices, type TestDeps } from '../../../test/support/service/test-deps.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { CallerGone } from '../../service/session/caller-gone.ts';
import { createEventStream } from './event-stream.ts';
import type { OpenSession } from '../../service/session/session-access.ts';

class SlowResponse extends EventEmitter {
  destroyed = false;
  writableNeedDrain = false;
  text = '';

  write(piece: string): boolean {
    this.text += piece;
    return !this.writableNeedDrain;
  }

  end(piece = ''): void {
    this.text += piece;
    this.destroy();
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }

  get eventIds(): number[] {
    return [...this.text.matchAll(/^id: (\d+)\nevent/gm)].map(([, id]) => Number(id));
  }
}

async function openStream(session: OpenSession, deps: TestDeps, readLog?: () => Promise<never>) {
  const response = new SlowResponse();
  const onFault = vi.fn();
  const { services } = bindTestServices(deps);
  const read = readLog ? { ...services, readLog } : services;
  createEventStream({ services: read, session, position: 0, onFault }).open()(
    response as unknown as ServerResponse,
  );
  return { response, onFault };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
});

async function startWith(messages: number) {
  const services = await openServices();
  const session = await services.lend();
  for (let count = 0; count < messages; count++) await services.deliver(plainMail(String(count)), session);
  return { ...services, session, ...(await openStream(session, services.deps)) };
}

it('reads no further than a page while its client takes nothing, and on from there once it does', async () => {
  const { response } = await startWith(40);
  response.writableNeedDrain = true;
  await vi.waitFor(() => {
    expect(response.eventIds).toHaveLength(16);
  }, 300_000);
  response.emit('drain');
  await vi.waitFor(() => {
    expect(response.eventIds).toHaveLength(32);
  }, 300_000);
  response.writableNeedDrain = false;
  response.emit('drain');
  await vi.waitFor(() => {
    expect(response.eventIds).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  }, 300_000);
});

it('cuts off a client that takes nothing for 15 s, and forgets it', async () => {
  const { response, deps } = await startWith(20);
  response.writableNeedDrain = true;
  await vi.waitFor(() => {
    expect(response.eventIds).toHaveLength(16);
  }, 300_000);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(response.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(1100);
  expect(response.destroyed).toBe(true);
  expect([deps.live.count(), response.listenerCount('drain')]).toEqual([0, 0]);
});

it('sends a comment every 25 s', async () => {
  const { response } = await startWith(0);
  await vi.advanceTimersByTimeAsync(75_000);
  expect(response.text.match(/^:$/gm)).toHaveLength(3);
});

it('is cut off and reported when reading the log fails', async () => {
  const services = await openServices();
  const session = await services.lend();
  const fault = new Error('The disk is full.');
  const mail = {
    isAtEnd: () => false,
    findSessionByKey: () => Promise.reject(fault),
  } as unknown as typeof services.deps.mail;
  const { response, onFault } = await openStream(session, { ...services.deps, mail });
  await vi.waitFor(() => {
    expect(onFault).toHaveBeenCalledWith(fault);
  }, 300_000);
  expect([response.destroyed, services.deps.live.count()]).toEqual([true, 0]);
});

it('asks the store no more than whether there is news, as long as there is none', async () => {
  const { response, deps } = await startWith(3);
  await vi.waitFor(() => {
    expect(response.eventIds).toEqual([1, 2, 3]);
  }, 300_000);
  const look = vi.spyOn(deps.mail, 'findSessionByKey');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(look).not.toHaveBeenCalled();
});

it('ends a filter that takes too long, to be gone on with, and one whose reader has left without a word', async () => {
  const errors = [new MayflyError('unavailable', 'Too long.'), new CallerGone()];
  for (const error of errors) {
    const services = await openServices();
    const session = await services.lend();
    await services.deliver(plainMail('One'), session);
    const { response, onFault } = await openStream(session, services.deps, () => Promise.reject(error));
    await vi.waitFor(() => {
      expect(response.destroyed).toBe(true);
    }, 300_000);
    expect(response.text).toBe('retry: 2000\n');
    expect([onFault.mock.calls, services.deps.live.count()]).toEqual([[], 0]);
  }
});
