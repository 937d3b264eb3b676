// SIGTERM to the built service while clients wait: all are notified, and requests in progress finish.
import { setTimeout as delay } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { createWebhookSecret } from '#notifications/webhook-signature';
import { openStream } from '../support/clients/event-source.ts';
import { startMayfly } from '../support/service/mayfly-process.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { greet } from '../support/smtp/smtp-client.ts';
import { startSink } from '../support/servers/webhook-sink.ts';

it('exits at once at a second SIGTERM, with a failure, and what was accepted is there afterwards', async () => {
  const folder = await useDataFolder();
  const sink = await startSink();
  // Keeps the first webhook busy for its five seconds: time for the second signal.
  sink.answer = () => undefined;
  const settings = {
    MAYFLY_WEBHOOKS_URL: `http://127.0.0.1:${sink.port}/`,
    MAYFLY_WEBHOOKS_SECRET: createWebhookSecret(),
  };
  const mayfly = await startMayfly(folder, settings);
  const { email, token } = await mayfly.lend();
  const client = await greet(mayfly.smtpPort);
  await client.deliver('Subject: x\r\n\r\nHello\r\n', email);
  client.socket.destroy();
  await expect.poll(() => sink.received.length).toBe(1);
  const stopped = mayfly.stop();
  await expect.poll(() => mayfly.log).toContain('process.stopping');
  // A second signal within half a second counts as the same key press.
  await delay(700);
  expect(mayfly.isRunning).toBe(true);
  mayfly.child.kill('SIGTERM');
  expect(await stopped).toBe(1);
  const again = await startMayfly(folder, settings);
  expect(await again.checkMail(token)).toHaveLength(1);
  expect(await again.stop('SIGKILL')).toBe('SIGKILL');
});

it('ends streams with a retry, waits with 503, finishes the webhook in flight and exits with 0', async () => {
  const folder = await useDataFolder();
  const sink = await startSink();
  sink.answer = (_received, response) => {
    setTimeout(() => response.writeHead(204).end(), 1000);
  };
  const settings = {
    MAYFLY_WEBHOOKS_URL: `http://127.0.0.1:${sink.port}/`,
    MAYFLY_WEBHOOKS_SECRET: createWebhookSecret(),
  };
  const mayfly = await startMayfly(folder, settings);
  const port = Number(new URL(mayfly.origin).port);
  const { email, token } = await mayfly.lend();
  const stream = await openStream({ port }, { token });
  const waits = [mayfly.call('/check-mail?wait=60&after=1', token), mayfly.call('/wait-mail?after=1', token)];
  const client = await greet(mayfly.smtpPort);
  await client.deliver('Subject: x\r\n\r\nHello\r\n', email);
  client.socket.destroy();
  await stream.take(1);
  await expect.poll(() => sink.received.length).toBe(1);

  const beganAt = performance.now();
  const stopped = mayfly.stop();
  await stream.ended();
  expect(stream.retries).toHaveLength(2);
  for (const answer of await Promise.all(waits)) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  }
  expect(await stopped).toBe(0);
  expect(performance.now() - beganAt).toBeLessThan(40_000);

  const again = await startMayfly(folder, settings);
  await delay(1500);
  expect(sink.received).toHaveLength(1);
  const resumed = await openStream(
    { port: Number(new URL(again.origin).port) },
    { token, lastEventId: stream.lastEventId },
  );
  await resumed.until(() => resumed.lastEventId !== '');
  expect([resumed.lastEventId, resumed.events]).toEqual(['1', []]);
  expect(await again.stop()).toBe(0);
});
