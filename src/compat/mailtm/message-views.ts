// Messages in mail.tm's format. Its clients show the HTML to people, so it is always sanitised; no field named here is
// ever null.

import { findPictures } from '@mayfly/mail-reader';
import { renderSafeHtml } from '@mayfly/mail-reader/html';
import { inSlices } from '#http-parts/slices';
import type { Session } from '../../domain/session.ts';
import type { ListedMessage } from '../../service/mail/check-mail.ts';
import type { MessageHead } from '../../service/mail/message-heads.ts';
import type { FullMessage } from '../../service/mail/read-mail.ts';
import { toAccountId, toMessageId } from './ids.ts';
import { type Resource, toDate } from './represent.ts';

interface Mailbox {
  readonly name: string;
  readonly email: string;
}

/** Facts from the header beyond Mayfly's own lists. */
interface HeaderFacts {
  readonly to: readonly Mailbox[];
  /** With angle brackets. */
  readonly messageId: string | null;
}

function toResource(session: Session, id: number, fields: object): Resource {
  return { type: 'Message', path: `/messages/${toMessageId(session, id)}`, fields };
}

/** As in lists. */
export function toListItem(session: Session, { listed, to, messageId }: MessageHead): Resource {
  return toResource(session, listed.id, {
    ...toCommon(session, listed, { to, messageId: messageId === '' ? null : `<${messageId}>` }),
    intro: listed.preview,
    ...toStates(session, listed),
  });
}

export async function toMessage(session: Session, message: FullMessage): Promise<Resource> {
  const { listed, parsed } = message;
  const at = `/messages/${toMessageId(session, listed.id)}`;
  const named = new Set([...parsed.to, ...parsed.cc].map(({ email }) => email.toLowerCase()));
  return toResource(session, listed.id, {
    ...toCommon(session, listed, parsed),
    intro: listed.preview,
    cc: parsed.cc.map(({ email }) => email),
    bcc: listed.recipients.filter((one) => !named.has(one.toLowerCase())),
    flagged: false,
    verifications: [],
    retention: true,
    retentionDate: toDate(session.expiresAt),
    text: parsed.text,
    html: [await toHtml(message)],
    attachments: parsed.attachments.map((one) => ({
      id: one.id,
      filename: one.filename,
      contentType: one.contentType,
      disposition: one.disposition,
      transferEncoding: one.body.encoding,
      related: one.contentId !== null && one.disposition === 'inline',
      size: one.size,
      downloadUrl: `${at}/attachment/${one.id}`,
    })),
    ...toStates(session, listed),
  });
}

/** The known fields of a deleted message. */
export function toDeleted(session: Session, id: number, at: number): Resource {
  const empty = { address: '', name: '' };
  return toResource(session, id, {
    id: toMessageId(session, id),
    accountId: toAccountId(session),
    msgid: '',
    from: empty,
    to: [],
    subject: '',
    intro: '',
    seen: false,
    isDeleted: true,
    hasAttachments: false,
    size: 0,
    downloadUrl: `/messages/${toMessageId(session, id)}/download`,
    createdAt: toDate(at),
    updatedAt: toDate(at),
  });
}

function toCommon(session: Session, message: ListedMessage, { to, messageId }: HeaderFacts): object {
  const { senderEmail, senderName, subject, recipients } = message;
  const addressed = to.filter(({ email }) => email !== '');
  return {
    id: toMessageId(session, message.id),
    accountId: toAccountId(session),
    msgid: messageId ?? '',
    from: { address: senderEmail, name: senderName },
    // Clients read the first one.
    to:
      addressed.length > 0
        ? addressed.map(({ email, name }) => ({ address: email, name }))
        : recipients.map((address) => ({ address, name: '' })),
    subject,
  };
}

function toStates(
  session: Session,
  { id, isRead, hasAttachments, sizeBytes, receivedAt }: ListedMessage,
): object {
  return {
    // Its clients know no doubt: a message that could not be read to its end may have some.
    seen: isRead,
    isDeleted: false,
    hasAttachments: hasAttachments !== false,
    size: sizeBytes,
    downloadUrl: `/messages/${toMessageId(session, id)}/download`,
    createdAt: toDate(receivedAt),
    updatedAt: toDate(receivedAt),
  };
}

/** Falls back to the text when no HTML can be shown: clients show the first entry without checking. */
async function toHtml({ html, parsed }: FullMessage): Promise<string> {
  if (html?.kind !== 'safe') {
    const escaped = Buffer.concat(await inSlices(parsed.text, escapeHtml)).toString();
    return `<div style="white-space: pre-wrap">${escaped}</div>`;
  }
  const pictures = findPictures(parsed.attachments);
  return renderSafeHtml(html.html, (slot) =>
    slot.kind === 'part' ? `attachment:${pictures.get(slot.contentId)?.id ?? ''}` : '',
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
