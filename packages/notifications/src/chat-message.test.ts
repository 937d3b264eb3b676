import { expect, it } from 'vitest';

import { type ChatFormat, chatFormats, chatUrlFault } from './chat-formats.ts';
import { type MailNews, toChatRequest } from './chat-message.ts';

const urls: Readonly<Record<ChatFormat, string>> = {
  ntfy: 'https://ntfy.sh/my-topic',
  telegram: 'https://api.telegram.org/bot123:AAF-secret/sendMessage?chat_id=-100123',
  slack: 'https://hooks.slack.com/services/T0/B0/secret',
  discord: 'https://discord.com/api/webhooks/1/secret?wait=true',
};

const news: MailNews = {
  email: 'quiet-fox@mayfly.test',
  senderName: 'Shop',
  senderEmail: 'no-reply@shop.example',
  subject: 'Your code',
  code: '482913',
  link: 'https://shop.example/verify?token=abc&x=1',
  text: null,
};

type Body = Readonly<Record<string, unknown>>;

function make(
  format: ChatFormat,
  changed: Partial<MailNews> = {},
): { url: string; body: Body; text: string } {
  const { url, body, headers } = toChatRequest(format, urls[format], { ...news, ...changed });
  expect(headers['content-type']).toBe('application/json');
  return { url, body: JSON.parse(body) as Body, text: body };
}

it('publishes to a topic of ntfy by JSON at the root', () => {
  expect(make('ntfy')).toMatchObject({
    url: 'https://ntfy.sh/',
    body: {
      topic: 'my-topic',
      title: 'Your code',
      message:
        'Code: 482913\nhttps://shop.example/verify?token=abc&x=1\nFrom: Shop <no-reply@shop.example>\nTo: quiet-fox@mayfly.test',
      click: news.link,
      actions: [{ action: 'view', label: 'Open link', url: news.link }],
    },
  });
  const request = toChatRequest('ntfy', 'https://me:p%40ss@ntfy.example/t?auth=x', news);
  expect(request.url).toBe('https://ntfy.example/?auth=x');
  expect(request.headers['authorization']).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
});

it('calls sendMessage of Telegram with its chat in the body', () => {
  expect(make('telegram')).toMatchObject({
    url: 'https://api.telegram.org/bot123:AAF-secret/sendMessage',
    body: {
      chat_id: '-100123',
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      text:
        '<code>482913</code>\nhttps://shop.example/verify?token=abc&amp;x=1\n<b>Your code</b>\n' +
        'From: Shop &lt;no-reply@shop.example&gt;\nTo: quiet-fox@mayfly.test',
    },
  });
});

it('sends Slack rich text, in which nothing is markup', () => {
  expect(make('slack')).toMatchObject({
    url: urls.slack,
    body: {
      text: '482913 – Your code',
      unfurl_links: false,
      blocks: [
        {
          type: 'rich_text',
          elements: [
            { elements: [{ type: 'text', text: '482913', style: { code: true } }, { text: '\n' }] },
            { elements: [{ type: 'link', url: news.link }, { text: '\n' }] },
            { elements: [{ text: 'Your code', style: { bold: true } }, {}] },
          ],
        },
      ],
    },
  });
});

it('sends Discord text that mentions and embeds nothing', () => {
  expect(make('discord')).toMatchObject({
    url: urls.discord,
    body: {
      content:
        '`482913`\n<https://shop.example/verify?token=abc&x=1>\n**Your code**\n' +
        'From: Shop \\<no\\-reply\\@shop\\.example\\>\nTo: quiet\\-fox\\@mayfly\\.test',
      allowed_mentions: { parse: [] },
      flags: 4,
    },
  });
});

const hostile =
  '@everyone <!channel> <b>x</b> [a](https://evil.example) *b* _c_ `d` ||e|| # f &lt; \u202etxt\r\nTo: all';

it.each(chatFormats)('lets no sender format, call or link anything in %s', (format) => {
  const { body, text } = make(format, { subject: hostile, senderName: hostile, text: hostile });
  expect(text).not.toContain('\u202e');
  if (format === 'ntfy') expect(body['title']).not.toMatch(/[\r\n]/);
  if (format === 'telegram') {
    const tags = String(body['text']).match(/<[^>]*>/g);
    expect(new Set(tags)).toEqual(new Set(['<code>', '</code>', '<b>', '</b>']));
    expect(String(body['text'])).toContain('&amp;lt;');
    expect(String(body['text'])).not.toMatch(/(?<!\w)@\w/);
  }
  if (format === 'slack') expect(String(body['text'])).not.toMatch(/[<>]/);
  if (format === 'discord') {
    const lines = String(body['content']).split('\n').slice(2);
    for (const line of lines) {
      expect(line.replace(/\\[!-/:-@[-`{-~]/g, '').replace(/^\*\*|\*\*$/g, '')).not.toMatch(/[@<>[\]*_`|#~]/);
    }
  }
});

it.each(chatFormats)('keeps within the limits of %s and cuts no character', (format) => {
  const long = '<😀>'.repeat(5000);
  const { body } = make(format, { subject: long, senderName: long, text: long });
  const fields = [body['message'], body['text'], body['content'], body['title']].map((one) =>
    typeof one === 'string' ? one : '',
  );
  const max = { ntfy: 4096, telegram: 4096, slack: 3000, discord: 2000 }[format];
  for (const field of fields) {
    expect(format === 'ntfy' ? Buffer.byteLength(field) : field.length).toBeLessThanOrEqual(max);
    expect(field).not.toMatch(/\p{Surrogate}/u);
    expect(field).not.toMatch(/&[a-z]{0,3}…/);
  }
});

it.each(chatFormats)('shows no body in %s unless it is asked for', (format) => {
  expect(make(format).text).not.toContain('body text');
  expect(make(format, { text: 'body text' }).text).toContain('body text');
});

it.each(['javascript:alert(1)', 'mailto:a@b.example', 'not a link', `https://a.example/${'x'.repeat(2000)}`])(
  'leaves out a link that cannot be followed: %s',
  (link) => {
    for (const format of chatFormats) expect(make(format, { link }).text).not.toContain(link.slice(0, 20));
  },
);

it('encodes what would end a link in the markup', () => {
  const { body } = make('discord', { link: 'https://a.example/x> @everyone <y?z=a b>#c>d' });
  expect(String(body['content']).split('\n')[1]).toMatch(/^<https:\/\/a\.example\/[^<> ]+>$/);
});

it('says why a URL is none of the service', () => {
  for (const format of chatFormats) expect(chatUrlFault(format, urls[format])).toBeUndefined();
  expect(chatUrlFault('ntfy', 'https://ntfy.sh/')).toMatch(/topic/);
  expect(chatUrlFault('ntfy', 'https://ntfy.sh/a/b')).toMatch(/topic/);
  for (const url of [
    'https://api.telegram.org/bot1:A/sendMessage',
    'https://api.telegram.org/bot1:A/x?chat_id=1',
  ]) {
    expect(chatUrlFault('telegram', url)).not.toContain('bot1:A');
  }
});
