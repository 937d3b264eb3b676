// Traces of the built service, as a collector receives them: those of a request, a message and a webhook, what they
// never contain, and that a failing collector does no harm.

import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { expect, inject, it, onTestFinished } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { greet } from '../support/smtp/smtp-client.ts';
import { type ReceivedSpan, startTraceSink } from '../support/servers/trace-sink.ts';
import { startSink } from '../support/servers/webhook-sink.ts';

async function start(settings: Readonly<Record<string, string>>): Promise<MayflyProcess> {
  const folder = await useDataFolder();
  const mayfly = await startMayfly(folder, { MAYFLY_LIMITS_RATE: 'off', ...settings });
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

async function deliver(mayfly: MayflyProcess, raw: string, to: string): Promise<string> {
  const client = await greet(mayfly.smtpPort);
  const reply = await client.deliver(raw, to);
  client.socket.destroy();
  return reply;
}

function named(spans: readonly ReceivedSpan[], name: string): ReceivedSpan[] {
  return spans.filter((span) => span.name === name);
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callersSpan = '00f067aa0ba902b7';

it('a request is a span, below its proxy’s if that says so', async () => {
  const sink = await startTraceSink();
  const mayfly = await start({ MAYFLY_TRACES_URL: sink.url, MAYFLY_HTTP_TRUSTED_PROXIES: '127.0.0.1' });
  const { token } = await mayfly.lend();
  const ask = (traceparent: string, query = '') =>
    fetch(`${mayfly.origin}/check-mail${query}`, {
      headers: { authorization: `Bearer ${token}`, traceparent },
    });
  const answer = await ask(`00-${traceId}-${callersSpan}-01`);
  await ask(`00-${'c3'.repeat(16)}-${callersSpan}-00`);
  await ask('00-malformed', '?after=x');
  await mayfly.call('/nothing/here');
  expect(await mayfly.stop()).toBe(0);

  expect(new Set(sink.contentTypes)).toEqual(new Set(['application/json']));
  const [continued, root, ...more] = named(sink.spans, 'GET /check-mail');
  expect(more).toEqual([]);
  expect(continued).toMatchObject({
    traceId,
    parentSpanId: callersSpan,
    kind: 2,
    hasFailed: false,
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/check-mail',
      'http.response.status_code': 200,
      'mayfly.request_id': answer.headers.get('x-request-id'),
    },
  });
  expect(continued?.seconds).toBeGreaterThan(0);
  expect(root?.parentSpanId).toBeUndefined();
  expect(root?.traceId).toMatch(/^(?!4bf92f35)[0-9a-f]{32}$/);
  expect(root?.attributes['http.response.status_code']).toBe(400);
  expect(named(sink.spans, 'GET').map(({ attributes }) => attributes['http.response.status_code'])).toEqual([
    404,
  ]);
  expect(named(sink.spans, 'POST /create-session')).toHaveLength(1);
});

it('no stranger decides which trace a request belongs to, or that it belongs to none', async () => {
  const sink = await startTraceSink();
  const mayfly = await start({ MAYFLY_TRACES_URL: sink.url, MAYFLY_HTTP_TRUSTED_PROXIES: '192.0.2.1' });
  for (const flags of ['01', '00']) {
    const headers = {
      traceparent: `00-${traceId}-${callersSpan}-${flags}`,
      'x-forwarded-for': '192.0.2.1',
      'x-request-id': 'chosen',
    };
    const answer = await fetch(`${mayfly.origin}/domains`, { headers });
    expect(answer.headers.get('x-request-id')).not.toBe('chosen');
  }
  expect(await mayfly.stop()).toBe(0);
  const spans = named(sink.spans, 'GET /domains');
  expect(spans).toHaveLength(2);
  for (const span of spans) {
    expect(span.parentSpanId).toBeUndefined();
    expect(span.traceId).not.toBe(traceId);
  }
});

it('a message is a span from MAIL to its reply, with its body and its commit below it', async () => {
  const sink = await startTraceSink();
  const mayfly = await start({ MAYFLY_TRACES_URL: sink.url });
  const { email, token } = await mayfly.lend();
  const reply = await deliver(mayfly, 'Subject: one\r\n\r\nhello\r\n', email);
  const [, messageId = ''] = /^250 2\.0\.0 OK (\w+)$/.exec(reply) ?? [];
  expect(await deliver(mayfly, 'Subject: bare\nline feed\r\n\r\n', email)).toMatch(/^550/);
  const raw = (await mayfly.rawMail(token, 1)).toString();
  const [, connection = ''] = new RegExp(`id ${messageId} \\(([0-9a-f]{6}-\\w+)\\)`).exec(raw) ?? [];
  expect(await mayfly.stop()).toBe(0);

  const [stored, refused, ...more] = named(sink.spans, 'smtp message');
  expect(more).toEqual([]);
  expect(stored).toMatchObject({
    kind: 2,
    hasFailed: false,
    parentSpanId: undefined,
    attributes: {
      'mayfly.message': messageId,
      'mayfly.smtp.connection': connection,
      'mayfly.outcome': 'accepted',
      'mayfly.message.bytes': 'Subject: one\r\n\r\nhello\r\n'.length,
      'smtp.response.code': 250,
      'smtp.response.enhanced_code': '2.0.0',
    },
  });
  expect(refused?.attributes).toMatchObject({
    'mayfly.outcome': 'refused',
    'mayfly.reason': 'bare_carriage_return_or_line_feed',
    'smtp.response.enhanced_code': '5.6.11',
  });
  const below = sink.spans.filter(({ parentSpanId }) => parentSpanId === stored?.spanId);
  expect(below.map(({ name }) => name)).toEqual(['body', 'commit']);
  for (const part of below) {
    expect(part.traceId).toBe(stored?.traceId);
    expect(part.seconds).toBeLessThanOrEqual(stored?.seconds ?? 0);
  }
  expect(refused?.traceId).not.toBe(stored?.traceId);
});

it('an attempt of a webhook is a span', async () => {
  const sink = await startTraceSink();
  const hooks = await startSink();
  hooks.answer = (_received, response) => {
    response.writeHead(hooks.received.length === 1 ? 500 : 204).end();
  };
  const mayfly = await start({
    MAYFLY_TRACES_URL: sink.url,
    MAYFLY_WEBHOOKS_URL: `http://127.0.0.1:${hooks.port}/hook`,
    MAYFLY_WEBHOOKS_SECRET: `whsec_${Buffer.alloc(24, 'x').toString('base64')}`,
  });
  const { email } = await mayfly.lend();
  await deliver(mayfly, 'Subject: one\r\n\r\n', email);
  await eventually(() => Promise.resolve(hooks.received.length >= 1 || undefined), 'a webhook was sent');
  expect(await mayfly.stop()).toBe(0);
  const [first] = named(sink.spans, 'webhook');
  expect(first).toMatchObject({
    kind: 3,
    hasFailed: true,
    attributes: {
      'mayfly.webhook.event': 'message.received',
      'mayfly.webhook.try': 1,
      'mayfly.outcome': 'failed',
      'error.type': 'answered 500',
    },
  });
});

it('neither content nor secrets are sent to the collector', async () => {
  const sink = await startTraceSink();
  const hooks = await startSink();
  const secret = `whsec_${Buffer.from('marker'.repeat(5)).toString('base64')}`;
  const mayfly = await start({
    MAYFLY_TRACES_URL: sink.url,
    MAYFLY_WEBHOOKS_URL: `http://127.0.0.1:${hooks.port}/marker-path?marker=1`,
    MAYFLY_WEBHOOKS_SECRET: secret,
  });
  const { email, token } = await mayfly.lend({ prefix: 'marker-local-part' });
  await deliver(mayfly, 'From: marker@marker.test\r\nSubject: marker-subject\r\n\r\nmarker-body\r\n', email);
  await deliver(mayfly, 'Subject: marker-subject\nbare\r\n\r\nmarker-body\r\n', email);
  await deliver(mayfly, 'x', 'marker-unknown@mayfly.test');
  const wrong = `mf_${'markerWrong'.repeat(4)}`;
  for (const one of [token, wrong]) {
    for (const place of ['/check-mail', '/read-mail?id=1', '/session', '/marker/path', `/${one}`]) {
      await mayfly.call(place, one);
      await mayfly.call(`${place}${place.includes('?') ? '&' : '?'}token=${one}&marker=marker`);
    }
  }
  await fetch(`${mayfly.origin}/check-mail`, {
    headers: { traceparent: `00-marker-${token}`, tracestate: 'marker=1', 'user-agent': 'marker' },
  });
  expect(await mayfly.stop()).toBe(0);
  const sent = sink.bodies.join('\n');
  expect(named(sink.spans, 'smtp message')).toHaveLength(2);
  expect(sink.spans.length).toBeGreaterThan(20);
  for (const hidden of [
    token,
    token.slice(3, 20),
    secret,
    secret.slice(6),
    'mayfly.test',
    'client.test',
    '127.0.0.1',
  ]) {
    expect(sent).not.toContain(hidden);
  }
  expect(sent).not.toMatch(/marker/i);
});

it('a share of 0 sends nothing', async () => {
  const sink = await startTraceSink();
  const mayfly = await start({ MAYFLY_TRACES_URL: sink.url, MAYFLY_TRACES_SAMPLE: '0' });
  await mayfly.lend();
  expect(await mayfly.stop()).toBe(0);
  expect(sink.bodies).toEqual([]);
});

/** As in /metrics, 0 for none. */
async function countSpans(mayfly: MayflyProcess, outcome: string): Promise<number> {
  const text = await (await fetch(`${mayfly.adminOrigin ?? ''}/metrics`)).text();
  return Number(
    new RegExp(`^mayfly_trace_spans_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
  );
}

it.each(['hangs', 'answers 503', 'is not there'])('a collector that %s costs spans alone', async (way) => {
  const sink = await startTraceSink();
  sink.answer = (response) => {
    if (way === 'answers 503') response.writeHead(503).end();
  };
  const url = way === 'is not there' ? `http://127.0.0.1:${await freePort()}/v1/traces` : sink.url;
  const mayfly = await start({ MAYFLY_TRACES_URL: url, MAYFLY_ADMIN_PORT: '0' });
  const { email, token } = await mayfly.lend();
  for (let round = 0; round < 110; round++) {
    await Promise.all(Array.from({ length: 20 }, () => mayfly.call('/healthz')));
  }
  expect(await deliver(mayfly, 'Subject: one\r\n\r\n', email)).toMatch(/^250/);
  expect(await mayfly.checkMail(token)).toHaveLength(1);
  // 2201 and some requests for a queue of 2048.
  expect(await countSpans(mayfly, 'dropped')).toBeGreaterThan(150);
  expect(await countSpans(mayfly, 'sent')).toBe(0);
  expect(await mayfly.stop()).toBe(0);
  expect(mayfly.log.match(/traces\.not_sent/g)).toHaveLength(1);
  expect(mayfly.log).not.toMatch(/"event":"process\.un/);
});

/** Returns the scripts a process had loaded by its end, from V8's coverage. */
async function listLoaded(settings: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-loaded-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const mayfly = await start({ ...settings, NODE_V8_COVERAGE: folder });
  const { email } = await mayfly.lend();
  await deliver(mayfly, 'Subject: one\r\n\r\n', email);
  expect(await mayfly.stop()).toBe(0);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
  const urls = texts.flatMap((text) =>
    (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url),
  );
  const ours = urls.filter((url) => url.startsWith(pathToFileURL(inject('buildDir')).href));
  const sources = await Promise.all([...new Set(ours)].map(listSources));
  return sources.flat();
}

/** Returns the sources of a file of the bundle; empty for the bundler's own. */
async function listSources(url: string): Promise<string[]> {
  const map = `${fileURLToPath(url)}.map`;
  if (!existsSync(map)) return [];
  return (JSON.parse(await readFile(map, 'utf8')) as { sources: string[] }).sources;
}

it('no code that creates or sends spans is loaded while traces are off', async () => {
  const makers = /\/telemetry\/src\/(?:create-traces|otlp-spans|trace-context)\.ts$/;
  const sink = await startTraceSink();
  const on = await listLoaded({ MAYFLY_TRACES_URL: sink.url });
  expect(on.filter((source) => makers.test(source))).toHaveLength(3);
  const off = await listLoaded({});
  expect(off.length).toBeGreaterThan(100);
  expect(off.filter((source) => makers.test(source))).toEqual([]);
});
