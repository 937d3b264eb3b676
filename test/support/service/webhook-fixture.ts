// The built service with webhooks to a sink, and mail for it. Used by the system tests of webhooks.

import { expect, onTestFinished } from 'vitest';

import { createWebhookSecret } from '#notifications/webhook-signature';
import { useCitusSettings } from '../postgres/citus-cluster.ts';
import type { WebhookSink } from '../servers/webhook-sink.ts';
import { greet } from '../smtp/smtp-client.ts';
import { useDataFolder } from './mayfly-fixture.ts';
import { type Lent, type MayflyProcess, startMayfly } from './mayfly-process.ts';

/** Those of the operator's endpoint. */
export const secret = createWebhookSecret();
export const oldSecret = createWebhookSecret();

export interface Started {
  readonly mayfly: MayflyProcess;
  readonly dataDir: string;
  readonly settings: Readonly<Record<string, string>>;
}

export async function startWithHooks(given: Readonly<Record<string, string>>): Promise<Started> {
  const folder = await useDataFolder();
  const settings = { ...(await useCitusSettings()), ...given };
  const mayfly = await startMayfly(folder, { MAYFLY_LIMITS_RATE: 'off', ...settings });
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return { mayfly, dataDir: folder, settings };
}

export function forOperator(sink: WebhookSink): Record<string, string> {
  return {
    MAYFLY_WEBHOOKS_URL: `http://127.0.0.1:${sink.port}/hook?a=1`,
    MAYFLY_WEBHOOKS_SECRET: `${secret},${oldSecret}`,
  };
}

export function forSessions(sink: WebhookSink): Record<string, string> {
  return {
    MAYFLY_WEBHOOKS_SESSIONS: 'on',
    MAYFLY_WEBHOOKS_PORTS: String(sink.port),
    MAYFLY_WEBHOOKS_ALLOWED_HOSTS: '127.0.0.1',
  };
}

export async function send(mayfly: MayflyProcess, { email }: Lent, subject: string): Promise<void> {
  const client = await greet(mayfly.smtpPort);
  const reply = await client.deliver(
    `From: a@b.example\r\nSubject: ${subject}\r\n\r\nYour code is 482913\r\n`,
    email,
  );
  expect(reply).toMatch(/^250 /);
  client.socket.destroy();
}

export const received = (sink: WebhookSink, count: number): Promise<void> =>
  expect.poll(() => sink.received.length, { interval: 10 }).toBe(count);
