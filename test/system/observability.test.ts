// The built service as its operator sees it: metrics on the operator's listener, ids that lead from a response to the
// log, and a log without secrets at any level.

import { expect, it, onTestFinished } from 'vitest';

import { freePort } from '../support/servers/free-port.ts';
import { type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { greet } from '../support/smtp/smtp-client.ts';

async function start(settings: Readonly<Record<string, string>>): Promise<MayflyProcess> {
  const folder = await useDataFolder();
  const mayfly = await startMayfly(folder, settings);
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

/** Returns a metric's value, 0 if absent. */
function valueOf(text: string, line: string): number {
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? 0 : Number(found.slice(line.length + 1));
}

it('/metrics counts every action, on the operator’s listener alone', async () => {
  const adminPort = String(await freePort());
  const mayfly = await start({ MAYFLY_ADMIN_PORT: adminPort });
  const { email, token } = await mayfly.lend();
  expect(await deliver(mayfly, 'Subject: one\r\n\r\n', email)).toMatch(/^250/);
  expect(await deliver(mayfly, 'Subject: bare\nline feed\r\n\r\n', email)).toMatch(/^550/);
  expect(await deliver(mayfly, '', 'nobody@mayfly.test')).toMatch(/^5/);
  await mayfly.checkMail(token);
  expect((await mayfly.call('/metrics')).status).toBe(404);

  const response = await fetch(`http://127.0.0.1:${adminPort}/metrics`);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await response.text();
  const values = [
    'mayfly_messages_total{source="smtp",outcome="stored",reason=""}',
    'mayfly_messages_total{source="smtp",outcome="refused",reason="bare_carriage_return_or_line_feed"}',
    'mayfly_smtp_recipients_total{outcome="unknown"}',
    'mayfly_smtp_connections_total{outcome="accepted"}',
    'mayfly_http_requests_total{route="/check-mail",status="200"}',
    'mayfly_sessions_created_total',
    'mayfly_sessions_live',
    'mayfly_ready',
    'mayfly_receive_seconds_count',
  ].map((line) => valueOf(text, line));
  expect(values).toEqual([1, 1, 1, 3, 1, 1, 1, 1, 1]);
  expect(valueOf(text, 'mayfly_message_bytes_total{source="smtp"}')).toBeGreaterThan(10);
  expect(valueOf(text, 'mayfly_store_commit_seconds_count')).toBeGreaterThan(1);
  expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect(valueOf(text, 'mayfly_smtp_certificate_not_after_seconds')).toBeGreaterThan(Date.now() / 1000);
  expect(text).not.toContain(email.split('@')[0]);
});

it('an id leads from a response to the log, for a request and for a connection', async () => {
  const mayfly = await start({ MAYFLY_LOG_LEVEL: 'debug' });
  const { email, token } = await mayfly.lend();
  const answer = await mayfly.call('/check-mail', token);
  const requestId = answer.headers.get('x-request-id') ?? '';
  expect(requestId).toMatch(/^\S{16}$/);
  const reply = await deliver(mayfly, 'Subject: one\r\n\r\n', email);
  const [, messageId = ''] = /^250 2\.0\.0 OK (\w+)$/.exec(reply) ?? [];
  const raw = (await mayfly.rawMail(token, 1)).toString();
  const [, connection = ''] = new RegExp(`id ${messageId} \\(([0-9a-f]{6}-\\w+)\\)`).exec(raw) ?? [];
  await mayfly.stop();
  const entries = mayfly.log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries).toContainEqual(
    expect.objectContaining({ event: 'http.request', request_id: requestId, route: '/check-mail' }),
  );
  expect(entries).toContainEqual(
    expect.objectContaining({ event: 'smtp.message', connection, message: messageId, outcome: 'stored' }),
  );
});

it('the log at its most verbose holds no token, key, subject, body, local part or password', async () => {
  const secret = `whsec_${Buffer.from('marker'.repeat(5)).toString('base64')}`;
  const mayfly = await start({
    MAYFLY_LOG_LEVEL: 'trace',
    MAYFLY_WEBHOOKS_URL: 'http://127.0.0.1:9/hook',
    MAYFLY_WEBHOOKS_SECRET: secret,
  });
  const { email, token } = await mayfly.lend({ prefix: 'marker-local-part' });
  expect(email).toContain('marker-local-part');
  await deliver(mayfly, 'Subject: marker-subject\r\n\r\nmarker-body 482913 is your code\r\n', email);
  await deliver(mayfly, 'Subject: marker-subject\nbare\r\n\r\nmarker-body\r\n', email);
  await deliver(mayfly, 'x', 'marker-unknown@mayfly.test');
  const client = await greet(mayfly.smtpPort);
  await client.command('AUTH PLAIN bWFya2VyLXBhc3N3b3Jk');
  // Right and wrong tokens, in every possible place, on existing and missing paths.
  const wrong = `mf_${'markerWrong'.repeat(4)}`;
  for (const one of [token, wrong]) {
    for (const path of [
      '/check-mail',
      '/read-mail?id=1',
      '/html-mail?id=1',
      '/raw-mail?id=9',
      '/session',
      `/${one}`,
    ]) {
      await mayfly.call(path, one);
      await mayfly.call(`${path}${path.includes('?') ? '&' : '?'}token=${one}`);
      await mayfly.call(`${path.replace('id=', 'id=x')}`, one);
    }
  }
  await fetch(`${mayfly.origin}/create-session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': wrong, cookie: `a=${token}` },
    body: `{"prefix":"marker-local-part","token":"${token}"`,
  });
  await mayfly.call('/end-session', token);
  await mayfly.stop();
  expect(mayfly.log.split('\n').length).toBeGreaterThan(30);
  for (const hidden of [
    token,
    token.slice(3, 20),
    wrong,
    secret,
    secret.slice(6),
    'bWFya2VyLXBhc3N3b3Jk',
    '482913',
  ]) {
    expect(mayfly.log).not.toContain(hidden);
  }
  expect(mayfly.log.match(/.*marker.*/g) ?? []).toEqual([]);
});
