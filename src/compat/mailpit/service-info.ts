// Mailpit's information about itself: whether it is ready, and about the session and the service, never about other
// sessions.

import { isCapture } from '../../domain/addresses/capture.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Session } from '../../domain/session.ts';
import { stringifyWellFormed } from '../../http/answers/answer.ts';
import type { CompatApp, CompatContext, CompatRoute } from '../dialect.ts';
import { listAllMessages } from '../list-all.ts';
import { jsonHeaders, refused, textHeaders } from './answers.ts';

type Serving = Pick<CompatContext, 'services' | 'version'>;

/** Operations that are not offered, with the reason. */
const refusals: readonly (readonly [CompatRoute['method'], string, string])[] = [
  ['PUT', '/api/v1/tags', 'Tags are not kept here.'],
  ['PUT', '/api/v1/tags/:tag', 'Tags are not kept here.'],
  ['DELETE', '/api/v1/tags/:tag', 'Tags are not kept here.'],
  [
    'POST',
    '/api/v1/message/:id/release',
    'Message relaying is not configured: nothing is sent on from here.',
  ],
];

const up = { headers: textHeaders, body: 'ok\n' };

/** The paths that test containers wait for. They need no credentials. */
export function addHealthRoutes(app: CompatApp, { health }: Pick<CompatContext, 'health'>): void {
  for (const path of ['/', '/livez']) app.add({ method: 'GET', path, serve: () => up });
  app.add({
    method: 'GET',
    path: '/readyz',
    serve: () => {
      if (health.isReady().ready) return up;
      throw new MayflyError('unavailable', 'The service is not available at the moment.');
    },
  });
}

export function addInfoRoutes(app: CompatApp, serving: Serving): void {
  addJson(app, '/api/v1/info', (session) => describeService(serving, session));
  addJson(app, '/api/v1/webui', (session) => ({ ...webUi, ChaosEnabled: isCapture(session) }));
  addJson(app, '/api/v1/tags', () => []);
  for (const [method, path, reason] of refusals) {
    app.add({ method, path, serve: (call) => call.authenticate().then(() => refused(reason)) });
  }
}

function addJson(app: CompatApp, path: string, show: (session: Session) => object | Promise<object>): void {
  app.add({
    method: 'GET',
    path,
    serve: async (call) => {
      const { session } = await call.authenticate();
      return { headers: jsonHeaders, body: stringifyWellFormed(await show(session)) };
    },
  });
}

async function describeService({ services, version }: Serving, session: Session): Promise<object> {
  const list = await listAllMessages(services, session);
  return {
    Version: version,
    LatestVersion: version,
    Database: '',
    DatabaseSize: session.messageBytes,
    Messages: session.messageCount,
    Unread: list.filter(({ isRead }) => !isRead).length,
    Tags: {},
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
