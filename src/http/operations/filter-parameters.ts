// The filter parameters shared by all operations that list, await, stream, delete or mark messages.

import { codeKinds } from '@mayfly/mail-reader';
import { isMailQuery, type MailQuery, parseMailQuery } from '#mail-query/mail-query';
import type { ParameterTable, ParameterValues } from '#values/parameter';
import { isFiltering, type MessageFilter } from '../../service/search/message-filter.ts';

const maxLength = 200;
const text = { kind: 'text', maxLength } as const;

export const filterParameters = {
  to: { ...text, description: 'Part of one of `recipients`.' },
  from: { ...text, description: 'Part of the sender’s address or name.' },
  subject: { ...text, description: 'Part of the subject.' },
  q: {
    ...text,
    description:
      'A search as a person types it. Words and `"phrases"`, each in the sender, the subject, the readable text or the ' +
      'name of an attachment; `from:`, `to:` and `subject:` with a part of it; `has:code`, `has:attachment`, ' +
      '`is:unread`, `is:read`. All must hold.',
  },
  tag: { ...text, description: 'One of `tags`, whole.' },
  has_code: {
    kind: 'flag',
    description: '1: only messages in which a code of kind `otp`, `pin` or `pickup` was found.',
  },
  code_kind: {
    kind: 'choice',
    values: codeKinds,
    description:
      'Only messages with a code of this kind: a one-time code, a PIN, a code to collect a parcel, a temporary password, a recovery code, or a code of quoted mail.',
  },
  link: {
    kind: 'choice',
    values: ['verify', 'login', 'reset', 'any'],
    description: 'Only messages with a link of this kind; `any` of the three.',
  },
  since: {
    kind: 'time',
    description:
      'Only messages received then or later: in the form of `received_at`, in ISO 8601, or in seconds since 1970.',
  },
} as const satisfies ParameterTable;

/** Returns undefined when none is given. */
export function toFilter(given: ParameterValues<typeof filterParameters>): MessageFilter | undefined {
  const { has_code: hasCode, code_kind: codeKind, link, since } = given;
  const [to, from, subject, tag] = [given.to, given.from, given.subject, given.tag].map(toText);
  const query = toQuery(given.q);
  const filter: MessageFilter = { to, from, subject, tag, hasCode, codeKind, link, since, query };
  return isFiltering(filter) ? filter : undefined;
}

/** Blank text counts as absent like empty text, so that it cannot delete everything. */
function toText(text: string | undefined): string | undefined {
  return text?.trim() === '' ? undefined : text;
}

/** Marks without words count as absent too. */
function toQuery(text: string | undefined): MailQuery | undefined {
  const query = parseMailQuery(text ?? '');
  return isMailQuery(query) ? query : undefined;
}
