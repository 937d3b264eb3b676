// Routes for one mailbox: list it, and delete all its messages.

import { eachMade, writeJson } from '#http-parts/slices';
import { sessionRoute } from '../dialect.ts';
import { toHeaderView } from './inbucket-views.ts';
import { openMailbox } from './mailbox-messages.ts';

/** The body that clients take for success. */
export const ok = { body: '"OK"' };

export const mailboxRoutes = [
  sessionRoute('GET /api/v1/mailbox/:name', 'its messages, oldest first', async ({ services }, call) => {
    const { mailbox, heads } = await openMailbox(services, call);
    const views = eachMade(heads.toReversed(), (head) => toHeaderView(head, mailbox.name));
    return { body: await writeJson(views) };
  }),
  sessionRoute('DELETE /api/v1/mailbox/:name', 'deletes them', async ({ services }, call) => {
    const { session, heads } = await openMailbox(services, call);
    const ids = heads.map(({ listed }) => listed.id);
    await services.deleteMessages(session, ids);
    return ok;
  }),
];
