// The functions for mail: list from a number on, read and delete.

import { listMaxMessages } from '../../domain/limits.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { ListedMessage } from '../../service/mail/check-mail.ts';
import { unlessDeleted } from '../../domain/gone.ts';
import { listAllMessages } from '../list-all.ts';
import type { AjaxFunctions, LiveAjaxCall } from './ajax-call.ts';
import { toMessageId } from './ajax-parameters.ts';
import { toDeletedView, toListView, toMessageView } from './guerrilla-views.ts';

/** The most messages in one list. */
const pageMessages = 20;
/** The most messages that one call deletes. */
const deletedMax = 1000;

export const mailFunctions: AjaxFunctions = {
  check_email: {
    access: 'session',
    // The oldest of the new ones, so that a client continuing from its newest misses none.
    summary:
      `the ${pageMessages} oldest messages with ids above \`seq\`, newest first, so that a client that continues ` +
      'from the newest one misses none',
    parameters: ['seq'],
    run: async (call) => {
      const { services, live } = call;
      const after = call.parameters.number('seq') ?? 0;
      const all = await listAllMessages(services, live.session);
      const messages = await services.checkMail(live.session, { after, limit: pageMessages });
      return list(call, { messages, count: all.filter(({ id }) => id > after).length });
    },
  },
  get_email_list: {
    access: 'session',
    summary: `${pageMessages} messages from \`offset\`, newest first`,
    parameters: ['offset', 'seq'],
    run: async (call) => {
      const { services, live, parameters } = call;
      const after = parameters.number('seq') ?? 0;
      const offset = parameters.number('offset') ?? 0;
      const all = (await listAllMessages(services, live.session)).filter(({ id }) => id > after);
      const count = after === 0 ? live.session.messageCount : all.length;
      return list(call, { messages: all.slice(offset, offset + pageMessages), count });
    },
  },
  get_older_list: {
    access: 'session',
    summary: `the ${pageMessages} newest below \`seq\``,
    parameters: ['seq', 'limit'],
    run: async (call) => {
      const { services, live, parameters } = call;
      const before = parameters.number('seq');
      const limit = Math.min(parameters.number('limit') ?? pageMessages, pageMessages);
      const older = await services.checkMail(live.session, { before, limit: listMaxMessages });
      return list(call, { messages: older.slice(0, limit), count: older.length });
    },
  },
  fetch_email: {
    access: 'session',
    summary: 'one message, marked read; `false` if there is none',
    parameters: ['email_id'],
    run: async ({ services, session, parameters, call, live }) => {
      const id = toMessageId(parameters.get('email_id'));
      if (id === undefined) return false;
      const message = await unlessDeleted(services.readMail(live.session, { id, marksRead: call.marksRead }));
      return message === undefined ? false : toMessageView(message, session.token);
    },
  },
  del_email: {
    access: 'session',
    summary: 'deletes up to 1,000; `deleted_ids` lists those that existed',
    parameters: ['email_ids[]'],
    changes: true,
    run: deleteMessages,
  },
};

interface Found {
  readonly messages: readonly ListedMessage[];
  readonly count: number;
}

function list({ session, live }: LiveAjaxCall, found: Found): object {
  return toListView({ session: live.session, token: session.token, ...found });
}

async function deleteMessages({ services, session, parameters, live }: LiveAjaxCall): Promise<object> {
  const asked = parameters.all('email_ids');
  if (asked.length > deletedMax) {
    throw new MayflyError('invalid_parameter', `At most ${deletedMax} messages are deleted at once.`, {
      parameter: 'email_ids',
    });
  }
  const deleted: string[] = [];
  for (const text of new Set(asked)) {
    const id = toMessageId(text);
    if (id === undefined) continue;
    const gone = services.deleteMail(live.session, id).then(() => true);
    if (await unlessDeleted(gone)) deleted.push(text);
  }
  return toDeletedView(deleted, session.token);
}
