// Mailpit's information about itself: whether it is ready, and about the session and the service, never about other
// sessions.

import { type Answer, stringifyWellFormed } from '#http-parts/answer';
import { isCapture } from '../../domain/addresses/capture.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { type CompatContext, publicRoute, sessionRoute } from '../dialect.ts';
import { listAllHeads, listAllMessages } from '../list-all.ts';
import { jsonHeaders, refused, textHeaders } from './answers.ts';
import { allTagsOf, countTags } from './tags.ts';
import type { OpenSession } from '../../service/session/session-access.ts';

const up = { headers: textHeaders, body: 'ok\n' };

/** The paths that test containers wait for. */
export const healthRoutes = [
  publicRoute('GET /', 'up; needs no token', () => up),
  publicRoute('GET /livez', 'up; needs no token', () => up),
  publicRoute('GET /readyz', 'ready; needs no token', ({ health }) => {
    if (health.isReady().ready) return up;
    throw new MayflyError('unavailable', 'The service is not available at the moment.');
  }),
];

const noTags = 'Tags cannot be set here.';
const noRelay = 'Message relaying is not configured: nothing is sent on from here.';
const refusals = [
  ['PUT /api/v1/tags', noTags],
  ['PUT /api/v1/tags/:tag', noTags],
  ['DELETE /api/v1/tags/:tag', noTags],
  ['POST /api/v1/message/:id/release', noRelay],
] as const;

export const infoRoutes = [
  sessionRoute('GET /api/v1/info', 'the service, for this session', async (context, { live }) =>
    answerJson(await describeService(context, live.session)),
  ),
  sessionRoute('GET /api/v1/webui', 'what is offered', (_context, { live: { session } }) =>
    answerJson({ ...webUi, ChaosEnabled: isCapture(session) }),
  ),
  sessionRoute(
    'GET /api/v1/tags',
    'those that the mail brings',
    async ({ services }, { live: { session } }) =>
      answerJson(allTagsOf(await listAllHeads(services, session))),
  ),
  ...refusals.map(([endpoint, reason]) => sessionRoute(endpoint, `400: ${reason}`, () => refused(reason))),
];

function answerJson(value: object): Answer {
  return { headers: jsonHeaders, body: stringifyWellFormed(value) };
}

async function describeService({ services, version }: CompatContext, session: OpenSession): Promise<object> {
  const list = await listAllMessages(services, session);
  return {
    Version: version,
    LatestVersion: version,
    Database: '',
    DatabaseSize: session.messageBytes,
    Messages: session.messageCount,
    Unread: list.filter(({ isRead }) => !isRead).length,
    Tags: countTags(await listAllHeads(services, session)),
    RuntimeStats: {
      Uptime: Math.floor(process.uptime()),
      Memory: 0,
      MessagesDeleted: 0,
      SMTPAccepted: session.messageCount,
      SMTPAcceptedSize: session.messageBytes,
      SMTPRejected: 0,
      SMTPIgnored: 0,
    },
  };
}

const webUi = {
  Label: 'Mayfly',
  MessageRelay: {
    Enabled: false,
    SMTPServer: '',
    ReturnPath: '',
    AllowedRecipients: '',
    BlockedRecipients: '',
    OverrideFrom: '',
    PreserveMessageIDs: false,
    RecipientAllowlist: '',
  },
  SpamAssassin: false,
  DuplicatesIgnored: false,
  HideDeleteAllButton: false,
};
