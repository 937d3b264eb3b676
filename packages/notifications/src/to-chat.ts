// Makes the message to a chat service of an event: only new mail is news, and of that what read-mail shows.

import type { ChatFormat } from './chat-formats.ts';
import { type ChatRequest, type MailNews, toChatRequest } from './chat-message.ts';
import type { WebhookEvent } from './send-webhook.ts';

/** Kinds of links that a person is asked to follow, as read-mail names them. */
const wanted: ReadonlySet<unknown> = new Set(['verify', 'login', 'reset', 'invite']);

export interface ChatTarget {
  readonly format: ChatFormat;
  readonly url: string;
  /** Whether the body was asked for. */
  readonly showsText: boolean;
}

/** Returns undefined for an event that is no news. */
export function toChat(event: WebhookEvent, { format, url, showsText }: ChatTarget): ChatRequest | undefined {
  const news = toMailNews(event, showsText);
  return news && toChatRequest(format, url, news);
}

function toMailNews({ type, data }: WebhookEvent, showsText: boolean): MailNews | undefined {
  const { email, message, content } = data;
  if (type !== 'message.received') return undefined;
  // Deleted since, or its session has ended.
  if (message === undefined && content === undefined) return undefined;
  const shown = (message ?? {}) as Readonly<Record<string, unknown>>;
  const textOf = (name: string): string => (typeof shown[name] === 'string' ? shown[name] : '');
  return {
    email: String(email),
    senderName: textOf('sender_name'),
    senderEmail: textOf('sender_email'),
    subject: textOf('subject'),
    code: textOf('code') || null,
    link: findLink(shown['links']),
    text: showsText ? textOf('text') : null,
  };
}

function findLink(links: unknown): string | null {
  if (!Array.isArray(links)) return null;
  const found = (links as readonly { readonly url: string; readonly kind: unknown }[]).find(({ kind }) =>
    wanted.has(kind),
  );
  return found?.url ?? null;
}
