// POST /create-share, GET /shares, POST /revoke-share: shares of the session, for its holder only.

import { type Static, Type } from '#http-parts/json-schema';

import type { Share } from '../../domain/share.ts';
import { formatTimestamp, secondsLeft } from '#values/timestamp';
import type { SessionLimits } from '../../service/session/session-limits.ts';
import { jsonAnswer } from '../answers/success.ts';
import { type Operation, sessionOperation } from '../operation.ts';
import { idParameter } from './parameters.ts';
import { expiry, messageId, orNull, success, text, timestamp } from '../views/schemas.ts';

const shareProperties = {
  share_id: text('Identifies the share for `/revoke-share`; grants no access.'),
  message_id: orNull(messageId('The one message that it is for; null for the whole session.')),
  created_at: timestamp('UTC.'),
  ...expiry,
};

export const shareSchema = Type.Object(shareProperties);

const example = {
  share_id: '3f0c9a1b5d7e2468',
  message_id: null,
  created_at: '2026-01-31 12:01:00',
  expires_at: '2026-01-31 13:00:00',
  expires_in: 3540,
};

function createShareOperation(limits: SessionLimits): Operation {
  return sessionOperation({
    name: 'createShare',
    tag: 'Shares',
    method: 'POST',
    path: '/create-share',
    summary: 'Let others read the session, or one message of it',
    description:
      'Returns a token that can replace the session’s in `/check-mail`, `/read-mail`, `/raw-mail`, `/attachment`, ' +
      '`/html-mail`, their pictures and `/session`, and is refused elsewhere. It changes nothing, marks nothing read, ' +
      'and ends with the session at the latest, or with `/revoke-share`.',
    parameters: {
      id: idParameter('`id` of the one message to share; the whole session when absent.'),
      lifetime: {
        kind: 'int',
        min: 1,
        max: limits.totalMaxSeconds,
        description: 'Seconds from now; until the session ends when absent, and never longer.',
      },
    },
    answers: success({ share: text('The token of the share, returned only here.'), ...shareProperties }),
    example: {
      status: 'success',
      share: 'mfs_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJw',
      ...example,
    },
    errors: ['message_not_found', 'too_many_shares'],
    async run({ services }, { live, parameters }) {
      const { id, lifetime } = parameters;
      const { token, share } = await services.createShare(live, { messageId: id, lifetimeSeconds: lifetime });
      return jsonAnswer({ share: token, ...toShare(share, live.now) });
    },
  });
}

const listSharesOperation = sessionOperation({
  name: 'listShares',
  tag: 'Shares',
  method: 'GET',
  path: '/shares',
  summary: 'List the shares of the session',
  parameters: {},
  answers: success({ shares: Type.Array(shareSchema, { description: 'Oldest first.' }) }),
  example: { status: 'success', shares: [example] },
  errors: [],
  async run({ services }, { live }) {
    const shares = await services.listShares(live);
    return jsonAnswer({ shares: shares.map((share) => toShare(share, live.now)) });
  },
});

const revokeShareOperation = sessionOperation({
  name: 'revokeShare',
  tag: 'Shares',
  method: 'POST',
  path: '/revoke-share',
  summary: 'Revoke a share',
  description: 'Its token is unknown from then on. Links to attachments made for it end within five minutes.',
  parameters: {
    share_id: { kind: 'text', required: true, description: '`share_id` of the share.' },
  },
  answers: success({ share_id: text('The revoked share.') }),
  example: { status: 'success', share_id: example.share_id },
  errors: ['share_not_found'],
  async run({ services }, { live, parameters }) {
    await services.revokeShare(live, parameters.share_id);
    return jsonAnswer({ share_id: parameters.share_id });
  },
});

function toShare(share: Share, now: number): Static<typeof shareSchema> {
  return {
    share_id: share.id,
    message_id: share.messageId,
    created_at: formatTimestamp(share.createdAt),
    expires_at: formatTimestamp(share.expiresAt),
    expires_in: secondsLeft(share.expiresAt, now),
  };
}

export function shareOperations(limits: SessionLimits): readonly Operation[] {
  return [createShareOperation(limits), listSharesOperation, revokeShareOperation];
}
