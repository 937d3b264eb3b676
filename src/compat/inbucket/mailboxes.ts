// Routes for one mailbox: list it, and delete all its messages.

import { eachMade, writeJson } from '../../http/answers/slices.ts';
import type { Services } from '../../service/services.ts';
import type { CompatApp } from '../dialect.ts';
import { toHeaderView } from './inbucket-views.ts';
import { openMailbox } from './mailbox-messages.ts';

const path = '/api/v1/mailbox/:name';

/** The body that clients take for success. */
export const ok = { body: '"OK"' };

export function addMailboxRoutes(
  app: CompatApp,
  services: Pick<Services, 'listHeads' | 'deleteMessages'>,
): void {
  app.add({
    method: 'GET',
    path,
    async serve(call) {
      const { mailbox, heads } = await openMailbox(services, call);
      const oldestFirst = heads.toReversed();
      return {
        body: await writeJson(
          eachMade(oldestFirst, (head) =>
            toHeaderView({ ...head.listed, from: head.from[0] ?? null, to: head.to }, mailbox.name),
          ),
        ),
      };
    },
  });

  app.add({
    method: 'DELETE',
    path,
    async serve(call) {
      const { session, heads } = await openMailbox(services, call);
      await services.deleteMessages(
        session,
        heads.map(({ listed }) => listed.id),
      );
      return ok;
    },
  });
}
