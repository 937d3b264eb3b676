// Webhooks of the built service: signatures that the published libraries verify, challenges, retries, erasure.
import path from 'node:path';

import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';

import { createWebhookSecret } from '#notifications/webhook-signature';
import { type Lent, runMayfly, startMayfly } from '../support/service/mayfly-process.ts';
import { runWell } from '../support/servers/run-program.ts';
import { type ReceivedWebhook, startSink, type WebhookSink } from '../support/servers/webhook-sink.ts';
import {
  forOperator,
  forSessions,
  oldSecret,
  received,
  secret,
  send,
  startWithHooks as start,
} from '../support/service/webhook-fixture.ts';

const python = path.resolve('node_modules/.test-python/bin/python');
const pythonVerify = `
import json, sys
from standardwebhooks import Webhook
secret, given = sys.argv[1], json.load(sys.stdin)
print(json.dumps(Webhook(secret).verify(given["body"], given["headers"])))
`;

const idOf = ({ headers }: ReceivedWebhook): string | undefined => headers['webhook-id'];

describe("the operator's webhook", () => {
  it('sends each event, signed so that the published libraries verify it under both secrets', async () => {
    const sink = await startSink();
    const { mayfly } = await start(forOperator(sink));
    const lent = await mayfly.lend();
    await send(mayfly, lent, 'Hällo');
    await received(sink, 1);
    const [webhook] = sink.received;
    expect(webhook).toMatchObject({ path: '/hook?a=1' });
    for (const one of [secret, oldSecret]) {
      expect(new Webhook(one).verify(webhook!.body, webhook!.headers)).toEqual(webhook!.content);
      const input = JSON.stringify({ body: webhook!.body, headers: webhook!.headers });
      expect(JSON.parse(await runWell(python, ['-c', pythonVerify, one], { input }))).toEqual(
        webhook!.content,
      );
    }
    expect(() => new Webhook(createWebhookSecret()).verify(webhook!.body, webhook!.headers)).toThrow();
    const [listed] = await mayfly.checkMail(lent.token);
    expect(webhook!.content).toEqual({
      type: 'message.received',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        session: expect.stringMatching(/^ses_[\w-]{24}$/),
        seq: 1,
        id: 1,
        email: lent.email,
        message: { ...listed, subject: 'Hällo', code: '482913' },
      },
    });
  });

  it('is retried with the same id and a new time when the endpoint fails, resets or does not respond', async () => {
    const sink = await startSink();
    const { mayfly } = await start(forOperator(sink));
    const well = sink.answer;
    const ways: WebhookSink['answer'][] = [
      (_received, response) => response.writeHead(500).end('x'.repeat(1_000_000)),
      (_received, response) => response.socket?.resetAndDestroy(),
    ];
    sink.answer = (one, response) => (ways.shift() ?? well)(one, response);
    await send(mayfly, await mayfly.lend(), 'again');
    await received(sink, 3);
    expect(new Set(sink.received.map(idOf)).size).toBe(1);
    for (const one of sink.received) new Webhook(secret).verify(one.body, one.headers);
    const [first, , third] = sink.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(third! - first!).toBeGreaterThanOrEqual(5);
  });

  it('does not affect receiving: mail is accepted while the endpoint hangs', async () => {
    const sink = await startSink();
    const { mayfly } = await start(forOperator(sink));
    sink.answer = () => undefined;
    const lent = await mayfly.lend();
    for (let count = 0; count < 20; count++) await send(mayfly, lent, String(count));
    expect(await mayfly.checkMail(lent.token)).toHaveLength(20);
    await received(sink, 8);
    expect(await mayfly.stop()).toBe(0);
  });

  it('does not follow redirects', async () => {
    const sink = await startSink();
    const { mayfly } = await start(forOperator(sink));
    const well = sink.answer;
    sink.answer = (_one, response) => response.writeHead(302, { location: '/elsewhere' }).end();
    await send(mayfly, await mayfly.lend(), 'x');
    await received(sink, 1);
    sink.answer = well;
    await received(sink, 2);
    expect(sink.received.map((one) => one.path)).toEqual(['/hook?a=1', '/hook?a=1']);
  });

  it('sends only ids and times once the session is over, and survives a restart', async () => {
    const sink = await startSink();
    const { mayfly, dataDir, settings } = await start(forOperator(sink));
    const well = sink.answer;
    sink.answer = (_one, response) => response.writeHead(500).end();
    const lent = await mayfly.lend();
    await send(mayfly, lent, 'secret subject');
    await received(sink, 1);
    await fetch(`${mayfly.origin}/end-session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${lent.token}` },
    });
    await mayfly.stop();
    const before = sink.received.length;
    sink.answer = well;
    const again = await startMayfly(dataDir, { MAYFLY_LIMITS_RATE: 'off', ...settings });
    onTestFinished(async () => {
      await again.stop('SIGKILL');
    });
    await expect
      .poll(
        () =>
          sink.received
            .slice(before)
            .map(({ content }) => content.type)
            .sort(),
        { timeout: 40_000 },
      )
      .toEqual(['message.received', 'session.expired']);
    for (const { content } of sink.received.slice(before)) {
      expect(Object.keys(content.data).sort()).toEqual(
        content.type === 'message.received' ? ['id', 'seq', 'session'] : ['seq', 'session'],
      );
    }
    expect(new Set(sink.received.filter(({ content }) => content.data['seq'] === 1).map(idOf)).size).toBe(1);
  }, 300_000);

  it('keeps its queue while commands and services run on its store without its URL', async () => {
    const sink = await startSink();
    const { mayfly, dataDir, settings } = await start(forOperator(sink));
    const well = sink.answer;
    sink.answer = (_one, response) => response.writeHead(500).end();
    await send(mayfly, await mayfly.lend(), 'kept');
    await received(sink, 1);
    await mayfly.stop();
    sink.answer = well;
    const before = sink.received.length;
    // Neither has the settings of the service but for its store.
    const store = Object.fromEntries(
      Object.entries(settings).filter(([name]) => name === 'MAYFLY_STORE_URL'),
    );
    expect((await runMayfly(dataDir, ['domain', 'list'], store)).status).toBe(0);
    const other = await startMayfly(dataDir, { ...store, MAYFLY_WEBHOOKS_SESSIONS: 'on' });
    await other.stop();
    const again = await startMayfly(dataDir, { MAYFLY_LIMITS_RATE: 'off', ...settings });
    onTestFinished(async () => {
      await again.stop('SIGKILL');
    });
    await send(again, await again.lend(), 'new');
    const subjects = (): unknown[] =>
      sink.received
        .slice(before)
        .map(({ content }) => (content.data['message'] as { subject: string }).subject);
    await expect.poll(() => subjects().sort(), { timeout: 40_000 }).toEqual(['kept', 'new']);
  }, 300_000);

  it('lists dead letters and sends them again on request', async () => {
    const sink = await startSink();
    const { mayfly, dataDir } = await start(forOperator(sink));
    const well = sink.answer;
    sink.answer = (_one, response) => response.writeHead(410).end();
    await send(mayfly, await mayfly.lend(), 'x');
    await received(sink, 1);
    const list = async (): Promise<string> => (await runMayfly(dataDir, ['webhook', 'dead', 'list'])).stdout;
    await expect.poll(list).toMatch(/message\.received .* answered 410/);
    sink.answer = well;
    const replayed = await runMayfly(dataDir, ['webhook', 'dead', 'replay', 'all']);
    expect([replayed.status, replayed.stdout]).toEqual([0, '1 webhook is due again.\n']);
    await received(sink, 2);
    expect(new Set(sink.received.map(idOf)).size).toBe(1);
    await expect.poll(list).toBe('No dead webhooks.\n');
    expect((await runMayfly(dataDir, ['webhook', 'dead', 'replay', '77'])).status).toBe(1);
  });

  it('sends the whole message if configured', async () => {
    const sink = await startSink();
    const { mayfly } = await start({ ...forOperator(sink), MAYFLY_WEBHOOKS_PAYLOAD: 'full' });
    await send(mayfly, await mayfly.lend(), 'x');
    await received(sink, 1);
    expect(sink.received[0]!.content.data['message']).toMatchObject({
      text: 'Your code is 482913\n',
      headers: expect.any(Array),
      is_read: false,
    });
  });
});

describe("a session's webhook", () => {
  it('is sent nothing before it has echoed the challenge, then every event', async () => {
    const sink = await startSink();
    const { mayfly } = await start(forSessions(sink));
    const lent = (await mayfly.lend({ webhook_url: `http://127.0.0.1:${sink.port}/mine` })) as Lent & {
      webhook_secret: string;
    };
    expect(lent.webhook_secret).toMatch(/^whsec_/);
    await send(mayfly, await mayfly.lend(), 'of another session');
    await send(mayfly, lent, 'mine');
    await received(sink, 2);
    expect(sink.received.map(({ content }) => content.type)).toEqual([
      'webhook.challenge',
      'message.received',
    ]);
    for (const one of sink.received) new Webhook(lent.webhook_secret).verify(one.body, one.headers);
    expect(sink.received[1]!.content.data).toMatchObject({ email: lent.email, message: { subject: 'mine' } });
  });

  it('is shown to the session in each of its states', async () => {
    const sink = await startSink();
    const { mayfly } = await start(forSessions(sink));
    const show = async ({ token }: Lent): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${mayfly.origin}/session`, { headers });
      return ((await answer.json()) as { webhook?: unknown }).webhook;
    };
    const patient = { interval: 10 };
    expect(await show(await mayfly.lend())).toBeUndefined();
    const answers: (() => void)[] = [];
    const well = sink.answer;
    sink.answer = (one, response) => {
      if (one.content.type === 'webhook.challenge') {
        answers.push(() => {
          well(one, response);
        });
      } else response.writeHead(503).end();
    };
    const lent = await mayfly.lend({ webhook_url: `http://127.0.0.1:${sink.port}/mine` });
    await received(sink, 1);
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(await show(lent)).toEqual({
      state: 'pending',
      last_error_code: null,
      queued: 1,
      next_attempt_at: timestamp,
    });
    answers[0]!();
    const idle = { last_error_code: null, queued: 0, next_attempt_at: null };
    await expect.poll(() => show(lent), patient).toEqual({ state: 'active', ...idle });
    await send(mayfly, lent, 'x');
    const failing = { state: 'failing', last_error_code: 'answered_503', queued: 1 };
    await expect.poll(() => show(lent), patient).toEqual({ ...failing, next_attempt_at: timestamp });
    sink.answer = (_one, response) => response.writeHead(410).end();
    const disabled = { ...idle, state: 'disabled', last_error_code: 'answered_410' };
    await expect.poll(() => show(lent), patient).toEqual(disabled);
  });

  it.each([
    ['without the challenge', (_one, response) => response.end('ok')],
    ['with another', (_one, response) => response.end(JSON.stringify({ challenge: 'x' }))],
    ['with the whole request', (one, response) => response.end(one.body)],
    [
      '500 with the challenge',
      (one, response) => response.writeHead(500).end(String(one.content.data['challenge'])),
    ],
  ] as [string, WebhookSink['answer']][])(
    'is sent nothing if the target returns %s',
    async (_what, answer) => {
      const sink = await startSink();
      sink.answer = answer;
      const { mayfly } = await start(forSessions(sink));
      const lent = await mayfly.lend({ webhook_url: `http://127.0.0.1:${sink.port}/victim` });
      await send(mayfly, lent, 'x');
      await expect.poll(() => mayfly.log).toContain('webhook.challenge_failed');
      await send(mayfly, lent, 'y');
      expect(sink.received.map(({ content }) => content.type)).toEqual(['webhook.challenge']);
    },
  );

  it('is refused unless the operator allows it', async () => {
    const { mayfly } = await start({});
    const body = new URLSearchParams({ webhook_url: 'https://hooks.example/' });
    const answer = await fetch(`${mayfly.origin}/create-session`, { method: 'POST', body });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      400,
      'webhooks_not_allowed',
    ]);
  });

  it('never reaches this machine or its network, and is refused if its URL shows so', async () => {
    const sink = await startSink();
    const { mayfly } = await start({
      MAYFLY_WEBHOOKS_SESSIONS: 'on',
      MAYFLY_WEBHOOKS_PORTS: String(sink.port),
    });
    for (const url of [`http://127.0.0.1:${sink.port}/`, `http://localhost:${sink.port}/`]) {
      await mayfly.lend({ webhook_url: url });
    }
    await expect.poll(() => mayfly.log.match(/webhook\.challenge_failed/g)?.length).toBe(2);
    expect(mayfly.log).toContain('address_refused');
    for (const url of ['ftp://x.example/', 'http://x.example:22/', 'http://u:p@x.example/', 'nonsense']) {
      const body = new URLSearchParams({ webhook_url: url });
      const answer = await fetch(`${mayfly.origin}/create-session`, { method: 'POST', body });
      expect([answer.status, await answer.json()]).toEqual([
        400,
        expect.objectContaining({ code: 'invalid_parameter', parameter: 'webhook_url' }),
      ]);
    }
    expect(sink.received).toEqual([]);
  });

  it('is refused beyond the cap of its host', async () => {
    const sink = await startSink();
    const { mayfly } = await start({ ...forSessions(sink), MAYFLY_WEBHOOKS_ENDPOINTS_PER_HOST_MAX: '2' });
    const url = `http://127.0.0.1:${sink.port}/`;
    await mayfly.lend({ webhook_url: url });
    await mayfly.lend({ webhook_url: `${url}other` });
    const body = new URLSearchParams({ webhook_url: url });
    const answer = await fetch(`${mayfly.origin}/create-session`, { method: 'POST', body });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
  });

  it('keeps neither URL nor secret readable in the store', async () => {
    const sink = await startSink();
    const { mayfly, dataDir } = await start(forSessions(sink));
    const path_ = 'very-secret-path';
    const lent = (await mayfly.lend({ webhook_url: `http://127.0.0.1:${sink.port}/${path_}` })) as Lent & {
      webhook_secret: string;
    };
    await received(sink, 1);
    await mayfly.stop();
    const found = await runWell('sh', [
      '-c',
      'cat "$1"/mayfly.db* | grep -c -a -e "$2" -e "$3" || true',
      'sh',
      dataDir,
      path_,
      lent.webhook_secret,
    ]);
    expect(found).toBe('0\n');
  });
});
