// The functions for mail: list from a number on, read and delete. Called by guerrilla.ts.

import { listMaxMessages } from '../../domain/limits.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { ListedMessage } from '../../service/mail/check-mail.ts';
import type { LiveSession } from '../../service/session/session-access.ts';
import { unlessDeleted } from '../../domain/gone.ts';
import { listAllMessages } from '../list-all.ts';
import type { AjaxCall } from './ajax-call.ts';
import { toMessageId } from './ajax-parameters.ts';
import { toDeletedView, toListView, toMessageView } from './guerrilla-views.ts';

/** The most messages in one list. */
const pageMessages = 20;
/** The most messages that one call deletes. */
const deletedMax = 1000;

export function checkEmail(call: AjaxCall): Promise<object | boolean> {
  const after = call.parameters.number('seq') ?? 0;
  return list(call, async ({ session }) => {
    const all = await listAllMessages(call.services, session);
    // The oldest of the new ones, so that a client continuing from its newest misses none.
    const messages = await call.services.checkMail(session, { after, limit: pageMessages });
    return { messages, count: all.filter(({ id }) => id > after).length };
  });
}

export function getEmailList(call: AjaxCall): Promise<object | boolean> {
  const after = call.parameters.number('seq') ?? 0;
  const offset = call.parameters.number('offset') ?? 0;
  return list(call, async ({ session }) => {
    const all = (await listAllMessages(call.services, session)).filter(({ id }) => id > after);
    const count = after === 0 ? session.messageCount : all.length;
    return { messages: all.slice(offset, offset + pageMessages), count };
  });
}

export function getOlderList(call: AjaxCall): Promise<object | boolean> {
  const before = call.parameters.number('seq');
  const limit = Math.min(call.parameters.number('limit') ?? pageMessages, pageMessages);
  return list(call, async ({ session }) => {
    const older = await call.services.checkMail(session, { before, limit: listMaxMessages });
    return { messages: older.slice(0, limit), count: older.length };
  });
}

type ReadList = (live: LiveSession) => Promise<{ messages: readonly ListedMessage[]; count: number }>;

async function list({ session }: AjaxCall, read: ReadList): Promise<object | boolean> {
  const live = await session.require();
  return toListView({ session: live.session, token: session.token, ...(await read(live)) });
}

/** Resolves with false when there is no such message. */
export async function fetchEmail({
  services,
  session,
  parameters,
  call,
}: AjaxCall): Promise<object | boolean> {
  const live = await session.require();
  const id = toMessageId(parameters.get('email_id'));
  if (id === undefined) return false;
  const message = await unlessDeleted(services.readMail(live.session, { id, marksRead: call.marksRead }));
  return message === undefined ? false : toMessageView(message, session.token);
}

export async function delEmail({ services, session, parameters }: AjaxCall): Promise<object | boolean> {
  const live = await session.require();
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
