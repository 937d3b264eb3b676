// New mail as a message to a chat service: code and link on top, then who wrote what to whom. One format each for ntfy,
// Telegram, Slack and Discord, as they document them. Links are not previewed, since that would open them. Pure.

import type { ChatFormat } from './chat-formats.ts';
import {
  breakMentions,
  cleanText,
  escapeEntities,
  escapeMarkdown,
  escapeWithin,
  oneLine,
} from './chat-text.ts';

export interface MailNews {
  /** The address that received it. */
  readonly email: string;
  readonly senderName: string;
  readonly senderEmail: string;
  readonly subject: string;
  readonly code: string | null;
  /** The link that a reader would follow, such as one that verifies an address. */
  readonly link: string | null;
  /** The body, where it was asked for. */
  readonly text: string | null;
}

export interface ChatRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** A longer link would lose its end; without it, the message says where to look. */
const linkMaxChars = 900;
const lineMaxChars = 250;

/** The facts that every format shows, cleaned and within bounds, unescaped. */
interface Shown {
  readonly code: string | null;
  readonly link: string | null;
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

/** @param url as configured: a topic of ntfy, Telegram's sendMessage with `chat_id`, or a webhook */
export function toChatRequest(format: ChatFormat, url: string, news: MailNews): ChatRequest {
  return formats[format](new URL(url), show(news));
}

function show(news: MailNews): Shown {
  const { senderName, senderEmail } = news;
  const name = oneLine(senderName);
  const address = oneLine(senderEmail);
  const link = news.link === null ? null : toWebLink(news.link);
  return {
    code: news.code === null ? null : cut(oneLine(news.code), 100),
    link: link !== null && link.length <= linkMaxChars ? link : null,
    subject: cut(oneLine(news.subject), lineMaxChars) || '(no subject)',
    from: cut(name === '' ? address : `${name} <${address}>`, lineMaxChars),
    to: cut(oneLine(news.email), lineMaxChars),
    text: cleanText(news.text ?? '').trim(),
  };
}

/** Percent-encoded, so that no markup can end in it; null for what a browser would not open as a page. */
function toWebLink(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : null;
}

function cut(text: string, max: number): string {
  return escapeWithin(text, max, (one) => one);
}

const formats: Readonly<Record<ChatFormat, (url: URL, shown: Shown) => ChatRequest>> = {
  ntfy: toNtfy,
  telegram: toTelegram,
  slack: toSlack,
  discord: toDiscord,
};

const json = { 'content-type': 'application/json' };

/** ntfy: plain text, published as JSON to the root of the server. A message has at most 4,096 bytes. */
function toNtfy(url: URL, { code, link, subject, from, to, text }: Shown): ChatRequest {
  const { headers, bare } = withoutLogin(url);
  const topic = bare.pathname.slice(1);
  bare.pathname = '/';
  const lines = [...(code === null ? [] : [`Code: ${code}`]), ...(link === null ? [] : [link])];
  const head = [...lines, `From: ${from}`, `To: ${to}`].join('\n');
  const room = Math.floor((4000 - Buffer.byteLength(head)) / 4);
  const body = {
    topic,
    title: subject,
    message: text === '' ? head : `${head}\n\n${cut(text, room)}`,
    tags: ['email'],
    ...(link === null ? {} : { click: link, actions: [{ action: 'view', label: 'Open link', url: link }] }),
  };
  return { url: bare.href, headers: { ...json, ...headers }, body: JSON.stringify(body) };
}

/** Telegram's sendMessage, in its HTML: at most 4,096 characters. */
function toTelegram(url: URL, { code, link, subject, from, to, text }: Shown): ChatRequest {
  const target = new URL(url);
  const chatId = target.searchParams.get('chat_id') ?? '';
  const thread = target.searchParams.get('message_thread_id');
  target.search = '';
  const lines = [
    ...(code === null ? [] : [`<code>${escapeEntities(code)}</code>`]),
    ...(link === null ? [] : [escapeEntities(link)]),
    `<b>${escapeEntities(breakMentions(subject))}</b>`,
    `From: ${escapeEntities(breakMentions(from))}`,
    `To: ${escapeEntities(to)}`,
  ];
  const head = lines.join('\n');
  const body = {
    chat_id: chatId,
    ...(thread === null ? {} : { message_thread_id: Number(thread) }),
    text:
      text === ''
        ? head
        : `${head}\n\n${escapeWithin(breakMentions(text), 4000 - head.length, escapeEntities)}`,
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  };
  return { url: target.href, headers: json, body: JSON.stringify(body) };
}

/**
 * Slack: blocks of rich text, in which nothing is markup; `text`, for notifications, is escaped. A block has at most
 * 3,000 characters.
 */
function toSlack(url: URL, { code, link, subject, from, to, text }: Shown): ChatRequest {
  const section = (...elements: object[]): object => ({ type: 'rich_text_section', elements });
  const plain = (content: string, style?: object): object => ({
    type: 'text',
    text: content,
    ...(style ? { style } : {}),
  });
  const sections = [
    ...(code === null ? [] : [section(plain(code, { code: true }), plain('\n'))]),
    ...(link === null ? [] : [section({ type: 'link', url: link }, plain('\n'))]),
    section(plain(subject, { bold: true }), plain(`\nFrom: ${from}\nTo: ${to}`)),
    ...(text === '' ? [] : [section(plain(`\n${cut(text, 2500)}`))]),
  ];
  const body = {
    text: escapeEntities([code, subject].filter((one) => one !== null).join(' – ')),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [{ type: 'rich_text', elements: sections }],
  };
  return { url: url.href, headers: json, body: JSON.stringify(body) };
}

/** Discord: Markdown of at most 2,000 characters, in which nothing mentions or embeds. */
function toDiscord(url: URL, { code, link, subject, from, to, text }: Shown): ChatRequest {
  const lines = [
    ...(code === null ? [] : [`\`${code.replaceAll('`', "'")}\``]),
    ...(link === null ? [] : [`<${link}>`]),
    `**${escapeWithin(subject, 300, escapeMarkdown)}**`,
    `From: ${escapeWithin(from, 300, escapeMarkdown)}`,
    `To: ${escapeWithin(to, 200, escapeMarkdown)}`,
  ];
  const head = lines.join('\n');
  const body = {
    content: text === '' ? head : `${head}\n\n${escapeWithin(text, 1990 - head.length, escapeMarkdown)}`,
    allowed_mentions: { parse: [] },
    // SUPPRESS_EMBEDS
    flags: 4,
  };
  return { url: url.href, headers: json, body: JSON.stringify(body) };
}

/** User and password of a URL as a header field, since a client would refuse them in it. */
function withoutLogin(url: URL): { readonly headers: Readonly<Record<string, string>>; readonly bare: URL } {
  const bare = new URL(url);
  const { username, password } = bare;
  bare.username = '';
  bare.password = '';
  if (username === '' && password === '') return { headers: {}, bare };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, bare };
}
