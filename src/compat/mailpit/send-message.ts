// POST /api/v1/send: stores a message in the session as if it had arrived by SMTP. Nothing is sent: whatever
// recipients it names, it goes nowhere else.

import { stringifyWellFormed } from '#http-parts/answer';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { type OpenSession, stillOpen } from '../../service/session/session-access.ts';
import { isComposed } from '#senders/compose';
import { storeMessages } from '../senders/store-messages.ts';
import type { CompatContext, SessionRoute } from '../dialect.ts';
import { jsonHeaders } from './answers.ts';
import { MailpitIds } from './ids.ts';

/** The whole body is read into memory. */
const bodyMaxBytes = 12 * 1024 * 1024;
/** How many of the newest messages to search for the one just stored: others may have arrived since. */
const recentMax = 50;

export const sendRoute: SessionRoute = {
  access: 'session',
  method: 'POST',
  path: '/api/v1/send',
  summary:
    'stores a message in the session, whatever its recipients; it needs a sender and a recipient. Nothing is sent',
  bodyMaxBytes,
  // It answers with the id of a mail that is on disk.
  onlySends: true,
  run: async (context, { live: { session }, body, caller }) => {
    const call = { reader: 'mailpit', body, contentType: '', given: {} };
    const composition = await context.composer.compose(call, session);
    if (composition.kind === 'refused') {
      throw new MayflyError('invalid_parameter', composition.refusal.message);
    }
    const messages = composition.items.filter(isComposed);
    const { bodies } = composition;
    await storeMessages(context, session, { messages, bodies, remoteAddress: caller.address, helo: 'http' });
    const id = await findStored(context, session, messages[0]?.messageId ?? '');
    const view = { ID: id === undefined ? '' : new MailpitIds(session).toId(id) };
    return { headers: jsonHeaders, body: stringifyWellFormed(view) };
  },
};

/** Resolves with undefined when it was deleted at once. */
async function findStored(
  { services }: CompatContext,
  session: OpenSession,
  messageId: string,
): Promise<number | undefined> {
  const now = await services.findSession(session.key, 'committed');
  if (now.state !== 'live') return undefined;
  const open = stillOpen(now.session, session);
  const heads = await services.listHeads(open, { after: Math.max(0, now.session.seq - recentMax) });
  return heads.find((head) => head.messageId === messageId)?.listed.id;
}
