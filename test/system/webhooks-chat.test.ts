// Notifications of new mail to chat services, whose servers here check each request by the service's documentation.

import { expect, it } from 'vitest';

import { startMayfly } from '../support/service/mayfly-process.ts';
import { type ReceivedWebhook, startSink, type WebhookSink } from '../support/servers/webhook-sink.ts';
import { greet } from '../support/smtp/smtp-client.ts';
import { received, send, startWithHooks as start } from '../support/service/webhook-fixture.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';

const secretWord = 'SECRETPART';

/** Throws where the service would answer 400. */
const checks: Readonly<Record<string, (received: ReceivedWebhook) => void>> = {
  ntfy: ({ path, body }) => {
    const given = JSON.parse(body) as Record<string, unknown>;
    if (path !== '/' || typeof given['topic'] !== 'string') throw new Error('not published as JSON');
    if (Buffer.byteLength(String(given['message'])) > 4096) throw new Error('too long');
  },
  telegram: ({ path, body }) => {
    const { chat_id: chat, text, parse_mode: mode } = JSON.parse(body) as Record<string, unknown>;
    if (path !== `/bot1:${secretWord}/sendMessage` || chat !== '-42' || mode !== 'HTML') {
      throw new Error('bad call');
    }
    if (/&(?!lt;|gt;|amp;|quot;)/.test(String(text))) throw new Error("can't parse entities");
    const open: string[] = [];
    for (const [, end, name = ''] of String(text).matchAll(/<(\/?)(\w*)>/g)) {
      if (!['b', 'code'].includes(name) || (end === '/' && open.pop() !== name)) {
        throw new Error('unsupported tag');
      }
      if (end === '') open.push(name);
    }
    if (open.length > 0 || String(text).length > 4096) throw new Error('unclosed tag');
  },
  slack: ({ path, body }) => {
    const { text, blocks } = JSON.parse(body) as Record<string, unknown>;
    if (path !== `/services/T/B/${secretWord}`) throw new Error('no_service');
    if (typeof text !== 'string' || !Array.isArray(blocks) || /[<>]/.test(text)) {
      throw new Error('invalid_blocks');
    }
  },
  discord: ({ path, body }) => {
    const { content, allowed_mentions: mentions } = JSON.parse(body) as Record<string, unknown>;
    if (path !== `/api/webhooks/1/${secretWord}`) throw new Error('Unknown Webhook');
    if (String(content).length > 2000 || !mentions) throw new Error('BASE_TYPE_MAX_LENGTH');
  },
};

const paths: Readonly<Record<string, string>> = {
  ntfy: `/topic-${secretWord}`,
  telegram: `/bot1:${secretWord}/sendMessage?chat_id=-42`,
  slack: `/services/T/B/${secretWord}`,
  discord: `/api/webhooks/1/${secretWord}`,
};

function answerAs(sink: WebhookSink, format: string): void {
  sink.answer = (one, response) => {
    try {
      checks[format]?.(one);
      response.writeHead(format === 'discord' ? 204 : 200).end('ok');
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  };
}

it.each(Object.keys(paths))('tells %s of new mail, code and link first, and no body', async (format) => {
  const sink = await startSink();
  answerAs(sink, format);
  const { mayfly } = await start({
    MAYFLY_WEBHOOKS_URL: `http://127.0.0.1:${sink.port}${paths[format]}`,
    MAYFLY_WEBHOOKS_FORMAT: format,
    MAYFLY_LOG_LEVEL: 'debug',
  });
  const lent = await mayfly.lend();
  const client = await greet(mayfly.smtpPort);
  await client.deliver(
    'From: "A <b> & @everyone" <a@b.example>\r\nSubject: Welcome <!channel> *x*\r\n\r\n' +
      'Your code is 482913.\r\nConfirm your address: https://shop.example/verify?token=abcdef123456\r\nPRIVATE words\r\n',
    lent.email,
  );
  await received(sink, 1);
  const [one] = sink.received;
  checks[format]?.(one!);
  expect(one!.body).toContain('482913');
  expect(one!.body).toContain('https://shop.example/verify?token=abcdef123456');
  expect(one!.body.indexOf('482913')).toBeLessThan(
    one!.body.indexOf('Welcome') + 1_000 * Number(format !== 'telegram'),
  );
  expect(one!.body).not.toContain('PRIVATE');
  // Ends of sessions are no news.
  const headers = { authorization: `Bearer ${lent.token}` };
  await fetch(`${mayfly.origin}/end-session`, { method: 'POST', headers });
  await send(mayfly, await mayfly.lend(), 'second');
  await received(sink, 2);
  expect(mayfly.log).not.toContain(secretWord);
  await mayfly.stop();
});

it('never logs the URL when the service refuses, cannot be reached or is not one', async () => {
  const sink = await startSink();
  sink.answer = (_one, response) => response.writeHead(404).end('no_service');
  const { mayfly } = await start({
    MAYFLY_WEBHOOKS_URL: `http://127.0.0.1:${sink.port}${paths['slack']}`,
    MAYFLY_WEBHOOKS_FORMAT: 'slack',
    MAYFLY_LOG_LEVEL: 'debug',
  });
  await send(mayfly, await mayfly.lend(), 'x');
  await received(sink, 1);
  await expect.poll(() => mayfly.log).toContain('webhook.failed');
  expect(mayfly.log).not.toContain(secretWord);
  await mayfly.stop();
  const wrong = startMayfly(await useDataFolder(), {
    MAYFLY_WEBHOOKS_URL: `https://api.telegram.org/bot1:${secretWord}/wrong`,
    MAYFLY_WEBHOOKS_FORMAT: 'telegram',
  });
  await expect(wrong).rejects.toThrow(/MAYFLY_WEBHOOKS_URL must be/);
  await expect(wrong).rejects.not.toThrow(new RegExp(secretWord));
});

it('shows the text where it is asked for', async () => {
  const sink = await startSink();
  answerAs(sink, 'discord');
  const { mayfly } = await start({
    MAYFLY_WEBHOOKS_URL: `http://127.0.0.1:${sink.port}${paths['discord']}`,
    MAYFLY_WEBHOOKS_FORMAT: 'discord',
    MAYFLY_WEBHOOKS_PAYLOAD: 'full',
  });
  await send(mayfly, await mayfly.lend(), 'x');
  await received(sink, 1);
  expect(sink.received[0]?.body).toContain('Your code is 482913');
});
