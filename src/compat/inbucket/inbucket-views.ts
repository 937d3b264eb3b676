// Messages in Inbucket's format, in a list and in full. JSON for programs that assert on what a sender wrote: markup
// is unchanged. Pure.

import type { Mailbox, ParsedHeader } from '@mayfly/mail-reader';
import type { ParsedMail } from '../../service/mail/read-mail.ts';

interface HeaderFacts {
  readonly id: number;
  readonly from: Mailbox | null;
  readonly to: readonly Mailbox[];
  readonly subject: string;
  /** ms since 1970. */
  readonly receivedAt: number;
  readonly sizeBytes: number;
  readonly isRead: boolean;
  readonly recipients: readonly string[];
}

export function toHeaderView(facts: HeaderFacts, mailbox: string): object {
  const { id, from, to, subject, receivedAt, sizeBytes, isRead, recipients } = facts;
  return {
    mailbox,
    id: String(id),
    from: from ? toText(from) : '',
    // Inbucket uses the envelope's when the header names none.
    to: to.length > 0 ? to.map(toText) : recipients.map((email) => toText({ name: '', email })),
    subject,
    date: new Date(receivedAt).toISOString(),
    'posix-millis': receivedAt,
    size: sizeBytes,
    seen: isRead,
  };
}

export interface FullView {
  readonly mail: ParsedMail;
  readonly mailbox: string;
  readonly recipients: readonly string[];
  /** Per attachment, in order. */
  readonly md5: readonly string[];
  /** This listener's origin, for links. */
  readonly origin: string;
}

export function toFullView({ mail, mailbox, recipients, md5, origin }: FullView): object {
  const { stored, parsed } = mail;
  const { id, receivedAt, sizeBytes, isRead } = stored;
  const { from, to, subject } = parsed;
  const facts = { id, receivedAt, sizeBytes, isRead, from, to, subject, recipients };
  return {
    ...toHeaderView(facts, mailbox),
    body: { text: parsed.text, html: parsed.html ?? '' },
    header: toHeaderMap(parsed.headers),
    attachments: parsed.attachments.map(({ filename, contentType }, index) => {
      const path = ['serve', 'mailbox', mailbox, String(id), 'attach', String(index), filename];
      const link = `${origin}/${path.map(encodeURIComponent).join('/')}`;
      return {
        filename,
        'content-type': contentType,
        'download-link': link,
        'view-link': link,
        md5: md5[index] ?? '',
      };
    }),
  };
}

function toText({ name, email }: Mailbox): string {
  const address = email === '' ? '' : `<${email}>`;
  return [name, address].filter((part) => part !== '').join(' ');
}

/** Returns the header as Go's programs show it: a map from canonical name to values, in order. */
function toHeaderMap(headers: readonly ParsedHeader[]): Record<string, string[]> {
  const map = new Map<string, string[]>();
  for (const { name, value } of headers) {
    const key = toCanonicalName(name);
    const values = map.get(key);
    if (values) values.push(value);
    else map.set(key, [value]);
  }
  return Object.fromEntries(map);
}

/** Converts `message-id` and `MESSAGE-ID` to `Message-Id`. */
function toCanonicalName(name: string): string {
  return name
    .toLowerCase()
    .replace(/(^|-)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}
