// Lists messages with facts from their headers, for interfaces whose lists show more than check-mail's. A header is
// read once and cached within a bound; an unchanged list costs neither a read nor a decryption. Used by the dialects.

import {
  declaredCharsetOf,
  firstValue,
  type Mailbox,
  parseHeaderDate,
  parseMailboxes,
  type RawField,
  readHeaderFields,
} from '@mayfly/mail-reader/header';
import { headBytes } from '../../domain/limits.ts';
import { unlessDeleted } from '../../domain/gone.ts';
import { checkMail, type CheckMailDeps, type CheckMailRequest, type ListedMessage } from './check-mail.ts';
import { loadParsedMail, type ReadMailDeps } from './read-mail.ts';
import { readHead } from '../session/sealed-raw.ts';
import { SearchEffort } from '../session/search-effort.ts';
import type { SessionCache } from '../session/session-cache.ts';
import type { OpenSession } from '../session/session-access.ts';

/** All of it is untrusted, written by the sender. */
export interface HeadFacts {
  readonly from: readonly Mailbox[];
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly bcc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  /** Without angle brackets; '' for none. */
  readonly messageId: string;
  /** The Date field in ms since 1970 UTC; null when absent or invalid. */
  readonly date: number | null;
  /** Undecoded and unfolded, in order: one character per byte. */
  readonly fields: readonly RawField[];
  /** Attached files, without those shown within the text. */
  readonly attachmentCount: number;
}

export interface MessageHead extends HeadFacts {
  readonly listed: ListedMessage;
}

export interface MessageHeadsDeps extends CheckMailDeps, ReadMailDeps {
  readonly lists: CheckMailDeps['lists'];
  readonly authentications: CheckMailDeps['authentications'] & ReadMailDeps['authentications'];
  readonly heads: SessionCache<HeadFacts>;
}

/** Most of the services whose dialects are spoken here are written in Go. */
const limits = { bytesMax: headBytes, fieldsMax: 1000, foldsToSpace: true } as const;
const mailboxesMax = 1000;

/** Heads made from a cached list, for as long as the list is cached. */
const madeOf = new WeakMap<readonly ListedMessage[], readonly MessageHead[]>();

/** As check-mail lists them; the same array is returned while nothing changes. */
export async function listHeads(
  deps: MessageHeadsDeps,
  session: OpenSession,
  request: CheckMailRequest = {},
): Promise<readonly MessageHead[]> {
  const list = await checkMail(deps, session, request);
  const known = madeOf.get(list);
  if (known) return known;
  const heads: MessageHead[] = [];
  // Parts are read of mail with files; those counted so far are kept.
  const effort = new SearchEffort(session);
  for (const listed of list) {
    await effort.spend();
    const facts = await findFacts(deps, session, listed);
    if (facts) heads.push({ ...facts, listed });
  }
  madeOf.set(list, heads);
  return heads;
}

/** Resolves with undefined when the message has been deleted meanwhile. */
async function findFacts(
  deps: MessageHeadsDeps,
  session: OpenSession,
  listed: ListedMessage,
): Promise<HeadFacts | undefined> {
  const part = String(listed.id);
  const known = deps.heads.get(session.key, part);
  if (known) return known;
  const head = await readHead(deps.mail, session, { id: listed.id, bytesMax: headBytes });
  if (!head) return undefined;
  return unlessDeleted(
    deps.heads.make(session.key, part, async () => {
      const value = { ...readFacts(head), attachmentCount: await countAttachments(deps, session, listed) };
      return { value, weight: weigh(value) };
    }),
  );
}

/** For most mail the glance already shows that there are none; parts are read only for the rest. */
async function countAttachments(
  deps: MessageHeadsDeps,
  session: OpenSession,
  { id, hasAttachments }: ListedMessage,
): Promise<number> {
  if (hasAttachments === false) return 0;
  const { parsed } = await loadParsedMail(deps, session, id);
  return parsed.attachments.filter(({ disposition }) => disposition === 'attachment').length;
}

function readFacts(head: Uint8Array): Omit<HeadFacts, 'attachmentCount'> {
  const raw = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const { fields } = readHeaderFields(raw, 0, limits);
  const first = (name: string): string => firstValue(fields, name) ?? '';
  // Names in raw 8-bit text, which are rare, as the list reads them.
  const declared = fields.some(({ value }) => /[\x80-\xff]/.test(value)) ? declaredCharsetOf(raw) : null;
  const byName = new Map<string, string[]>();
  for (const { name, value } of fields) {
    const key = name.toLowerCase();
    const values = byName.get(key);
    if (values) values.push(value);
    else byName.set(key, [value]);
  }
  const mailboxes = (name: string): Mailbox[] => {
    const values = byName.get(name);
    return values ? parseMailboxes(values.join(', '), mailboxesMax, declared) : [];
  };
  return {
    from: parseMailboxes(first('from'), mailboxesMax, declared),
    to: mailboxes('to'),
    cc: mailboxes('cc'),
    bcc: mailboxes('bcc'),
    replyTo: mailboxes('reply-to'),
    messageId: first('message-id')
      .replace(/^[<\s]+|[>\s]+$/g, '')
      .slice(0, 998),
    date: parseHeaderDate(first('date')),
    fields,
  };
}

/** In bytes, roughly. */
function weigh({ fields, to, cc, bcc, replyTo }: HeadFacts): number {
  const text = fields.reduce((sum, { name, value }) => sum + 64 + name.length + value.length, 0);
  return 512 + text + 200 * (to.length + cc.length + bcc.length + replyTo.length);
}
