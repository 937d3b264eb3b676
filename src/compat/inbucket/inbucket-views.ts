// Messages in Inbucket's format, in a list and in full. JSON for programs that assert on what a sender wrote: markup
// is unchanged. Pure.

import type { Mailbox, ParsedMessage } from '@mayfly/mail-reader';
import type { RawField } from '@mayfly/mail-reader/header';

import type { MessageHead } from '../../service/mail/message-heads.ts';

export function toHeaderView({ listed, from: [from], to }: MessageHead, mailbox: string): object {
  const { id, subject, receivedAt, rawSizeBytes, isRead, recipients, mailFrom } = listed;
  // Inbucket uses the envelope's when those of the header cannot all be read.
  const isReadable = to.length > 0 && to.every(({ email }) => email !== '');
  const shownTo = isReadable ? to : recipients.map((email) => ({ name: '', email }));
  return {
    mailbox,
    id: String(id),
    from: toText(from && from.email !== '' ? from : { name: '', email: mailFrom ?? '' }),
    to: shownTo.map(toText),
    subject,
    date: new Date(receivedAt).toISOString(),
    'posix-millis': receivedAt,
    size: rawSizeBytes,
    seen: isRead,
  };
}

export interface FullView {
  readonly parsed: ParsedMessage;
  readonly head: MessageHead;
  readonly mailbox: string;
  /** The service's own fields above the header. */
  readonly trace: readonly RawField[];
  /** Per attachment, in order. */
  readonly md5: readonly string[];
  /** This listener's origin, for links. */
  readonly origin: string;
}

export function toFullView({ parsed, head, mailbox, trace, md5, origin }: FullView): object {
  return {
    ...toHeaderView(head, mailbox),
    body: { text: parsed.text, html: (parsed.html ?? '').replaceAll('\r\n', '\n') },
    header: toHeaderMap([...trace, ...head.fields]),
    attachments: parsed.attachments.map(({ filename, contentType }, index) => {
      const path = ['serve', 'mailbox', mailbox, String(head.listed.id), 'attach', String(index), filename];
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

/** Returns the header as Go's programs show it: a map from canonical name to values, in order and undecoded. */
function toHeaderMap(fields: readonly RawField[]): Record<string, string[]> {
  const map = new Map<string, string[]>();
  for (const { name, value } of fields) {
    const key = toCanonicalName(name);
    const text = Buffer.from(value, 'latin1').toString();
    const values = map.get(key);
    if (values) values.push(text);
    else map.set(key, [text]);
  }
  return Object.fromEntries(map);
}

/** Converts `message-id` and `MESSAGE-ID` to `Message-Id`. */
function toCanonicalName(name: string): string {
  return name
    .toLowerCase()
    .replace(/(^|-)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}
