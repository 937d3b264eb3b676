// Endpoints at their worst while mail arrives: they hang, fail, redirect, drip, reset and send too much, with ten
// thousand events waiting and streams that are never read. Mail is received as fast as with a healthy endpoint.
import { connect } from 'node:net';

import { expect, it, onTestFinished } from 'vitest';

import { createWebhookSecret } from '#notifications/webhook-signature';
import { type Lent, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { connectTo, type SmtpClient } from '../support/smtp/smtp-client.ts';
import { type SinkAnswer, startSink, type WebhookSink } from '../support/servers/webhook-sink.ts';

const backlog = 10_000;
const connections = 10;
const sessions = 100;
const perSecond = 200;
const seconds = 15;
const text = `Subject: x\r\n\r\n${'Hello there.\r\n'.repeat(280)}`;
/** Added to the p99: the machine's own variation from run to run. */
const noiseMs = 10;

const chaos: readonly SinkAnswer[] = [
  () => undefined,
  (_received, response) => void response.writeHead(500).end(),
  (_received, response) => void response.writeHead(301, { location: 'http://127.0.0.1:1/' }).end(),
  (_received, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 100);
    response.on('close', () => {
      clearInterval(timer);
    });
  },
  (_received, response) => void response.socket?.resetAndDestroy(),
  (_received, response) => void response.writeHead(200).end(Buffer.alloc(1024 * 1024, 'x')),
];

async function start(sink: WebhookSink): Promise<{ mayfly: MayflyProcess; lents: readonly Lent[] }> {
  const folder = await useDataFolder();
  const mayfly = await startMayfly(folder, {
    MAYFLY_LIMITS_RATE: 'off',
    MAYFLY_LOG_LEVEL: 'warn',
    MAYFLY_LIMITS_SESSION_MESSAGES: '0',
    MAYFLY_LIMITS_SESSION_BYTES: '0',
    MAYFLY_WEBHOOKS_URL: `http://127.0.0.1:${sink.port}/`,
    MAYFLY_WEBHOOKS_SECRET: createWebhookSecret(),
  });
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return { mayfly, lents: await Promise.all(Array.from({ length: sessions }, () => mayfly.lend())) };
}

async function connectAll(mayfly: MayflyProcess): Promise<SmtpClient[]> {
  return Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await connectTo(mayfly.smtpPort);
      await client.readReply();
      await client.command('EHLO client.test');
      return client;
    }),
  );
}

async function sendBacklog(mayfly: MayflyProcess, lents: readonly Lent[]): Promise<void> {
  let next = 0;
  const send = async (client: SmtpClient): Promise<void> => {
    for (let at = next++; at < backlog; at = next++) {
      expect(await client.deliver('Subject: x\r\n\r\n', lents[at % sessions]!.email)).toMatch(/^250 /);
    }
  };
  await Promise.all((await connectAll(mayfly)).map(send));
}

/** Returns the p99 of the time from end of data to 250 in ms, at an even pace. */
async function measureP99(mayfly: MayflyProcess, lents: readonly Lent[]): Promise<number> {
  const times: number[] = [];
  const startedAt = performance.now();
  let next = 0;
  const send = async (client: SmtpClient): Promise<void> => {
    for (let at = next++; at < perSecond * seconds; at = next++) {
      const early = startedAt + (at * 1000) / perSecond - performance.now();
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      await client.startData(lents[at % sessions]!.email);
      const sentAt = performance.now();
      client.send(`${text}.\r\n`);
      expect(await client.readReply()).toMatch(/^250 /);
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all((await connectAll(mayfly)).map(send));
  return times.sort((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0;
}

/** Opens streams of which nothing is read after their head. */
async function openUnread(mayfly: MayflyProcess, lents: readonly Lent[]): Promise<void> {
  const port = Number(new URL(mayfly.origin).port);
  for (const { token } of lents) {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => {
      socket.destroy();
    });
    socket.write(`GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    await new Promise((resolve) => socket.on('error', resolve).once('data', resolve));
    socket.pause();
  }
}

it('receives mail beside failing endpoints and unread streams as fast as beside a healthy endpoint', async () => {
  const well = await startSink();
  const calm = await start(well);
  await measureP99(calm.mayfly, calm.lents);
  const calmMs = await measureP99(calm.mayfly, calm.lents);
  await calm.mayfly.stop('SIGKILL');

  const sink = await startSink();
  let count = 0;
  sink.answer = (received, response) => chaos[count++ % chaos.length]?.(received, response);
  const { mayfly, lents } = await start(sink);
  await sendBacklog(mayfly, lents);
  await openUnread(mayfly, lents);
  const chaosMs = await measureP99(mayfly, lents);
  expect(chaosMs, `${calmMs} ms beside an endpoint that is well`).toBeLessThan(1.1 * calmMs + noiseMs);
  expect(sink.received.length).toBeGreaterThan(chaos.length);
  await expect.poll(() => mayfly.log).toContain('webhook.queue_full');
});
