// The use cases, each bound once to the stores and parts it needs: those for holders of sessions, and those for
// incoming mail. The edges (http, webhooks; smtp, gmail) receive the functions that they call. A new use case adds one
// line here.

import type { Session, SessionKey } from '../domain/session.ts';
import type { Share } from '../domain/share.ts';
import type { MessageParser } from '#mail-threads/message-parser';
import type { HtmlSanitiser } from '#mail-threads/html-sanitiser';
import type { SessionView } from '../store/mail-store.ts';
import type { SqlStores, Stores } from '../store/stores.ts';
import { checkMail, type CheckMailDeps, findListedMessage } from './mail/check-mail.ts';
import type { OnceCall } from './receiving/begin-once.ts';
import { authenticateSmtp, type AuthenticateSmtpDeps } from './receiving/authenticate-smtp.ts';
import { createCaptureSession } from './addresses/create-capture-session.ts';
import { createSession } from './addresses/create-session.ts';
import type { DeliverDeps } from './receiving/deliver-to-sessions.ts';
import { createSessionWithWebhook } from './addresses/create-session-with-webhook.ts';
import { type DeleteDeps, deleteMail, deleteMatching, deleteMessages } from './changes/delete-mail.ts';
import type { DeliveryLog, RefusedPeer } from './records/delivery-log.ts';
import { expectMail, type ReadThreads } from './session/expect-reads.ts';
import { extendSession } from './addresses/extend-session.ts';
import { examineMail, findMessages, type MatchDeps } from './search/find-messages.ts';
import { type FreshMailDeps, listFreshMail, readFreshMail } from './mail/fresh-mail.ts';
import { listDomains } from './addresses/list-domains.ts';
import type { LiveReader, LiveReaders, ReaderKind } from './live/live-readers.ts';
import { markMail } from './changes/mark-mail.ts';
import type { MessageAuthentications } from './mail/message-authentications.ts';
import type { MessageGlances } from './mail/message-glances.ts';
import { listHeads, type MessageHeadsDeps } from './mail/message-heads.ts';
import { readInlineImage, readRemoteImage } from './mail/message-images.ts';
import { readHtmlMail } from './mail/read-html-mail.ts';
import { readLog } from './search/read-log.ts';
import { checkForMailpit, reportMail } from './mail/report-mail.ts';
import {
  loadMessage,
  loadParsedMail,
  peekMail,
  readAttachment,
  readContents,
  readMail,
  readRawMail,
} from './mail/read-mail.ts';
import {
  type GmailResult,
  receiveGmailMessage,
  refuseBlockedGmailSender,
  refuseLargeGmailMessage,
} from './receiving/receive-gmail-message.ts';
import { receiveMessage } from './receiving/receive-message.ts';
import type { Received } from './records/recent-deliveries.ts';
import type { RefusedRecipients } from './records/refused-recipients.ts';
import type { RemoteImageFetcher } from './mail/remote-image-fetcher.ts';
import { renameSession } from './addresses/rename-session.ts';
import {
  type PushDeps,
  type PushOffer,
  subscribePush,
  unsubscribePush,
} from './addresses/push-subscriptions.ts';
import type { ImportedFile } from './receiving/import-message.ts';
import { isFull, resolveRecipient } from './receiving/resolve-recipient.ts';
import type { Recipient } from './session/recipient.ts';
import {
  authenticateTicket,
  authenticateToken,
  issueTicket,
  type LiveSession,
  type OpenSession,
  type TicketDeps,
} from './session/session-access.ts';
import type { SessionCaches } from './mail/session-caches.ts';
import type { SessionLimits } from './session/session-limits.ts';
import type { SessionWebhooks } from './addresses/session-webhooks.ts';
import {
  authenticateShare,
  confirmShare,
  createShare,
  listShares,
  revokeShare,
  type ShareDeps,
} from './addresses/share-session.ts';
import { keepPassword, preparePassword, reopenByPassword } from './addresses/session-password.ts';
import { showSession } from './addresses/show-session.ts';
import type { SharedInbox } from './addresses/standing-captures.ts';
import type { ServiceTurns } from './session/service-turns.ts';
import { requesterOf } from './session/turn-owner.ts';
import { waitFor, type WaitDeps, type WaitOptions } from './live/wait-for.ts';
import { useWholeMail } from './mail/whole-mail.ts';
import { addSmtpFault, setSmtpFaults, showSmtpFaults, type SmtpFaultsDeps } from './receiving/smtp-faults.ts';
import { waitForMessage } from './search/wait-for-message.ts';
import { waitMail } from './search/wait-mail.ts';

export interface ServiceSettings {
  readonly limits: SessionLimits;
  /** Whether to hide the accounts' addresses. */
  readonly masksGmailAccounts: boolean;
  /** Our name in the Received field. */
  readonly hostname: string;
}

/** Parts that live as long as the process. */
export interface ServiceParts extends SessionCaches, Pick<ReadThreads, 'readers'>, SmtpFaultsDeps {
  readonly parser: MessageParser;
  readonly sanitiser: HtmlSanitiser;
  readonly glances: MessageGlances;
  readonly authentications: MessageAuthentications;
  readonly deliveryLog: DeliveryLog;
  readonly refusedRecipients: RefusedRecipients;
  readonly live: LiveReaders;
  /** Undefined when the operator allows no session webhooks. */
  readonly webhooks: SessionWebhooks | undefined;
  /** Undefined where the operator has not enabled push. */
  readonly push: PushOffer | undefined;
  /** Undefined but for a developer's service. */
  readonly sharedInbox: SharedInbox | undefined;
  readonly turns: ServiceTurns;
  /** Null where browsers load remote images themselves. */
  readonly remoteImages: RemoteImageFetcher | null;
  /** The service's own, 32 bytes: wraps what tickets carry, and passwords. */
  readonly serverKey: Uint8Array;
  /** Returns the secret that orders the dot variants of an account. */
  readonly dotVariantKey: (email: string) => Uint8Array;
}

export type Services = ReturnType<typeof createServices>;

/** The use cases of a session's holder. */
export function createServices(
  stores: SqlStores & Pick<Stores, 'mail' | 'now'>,
  settings: ServiceSettings,
  parts: ServiceParts,
) {
  const deps = { ...stores, ...parts, ...settings };
  const { mail, live, answers } = deps;
  const bind = bindTo(deps);
  return {
    ...createSourceReads(deps),
    ...createFilteredUses(deps),
    ...createFaults(deps),
    ...createPushUses(deps),
    ...createNewsUses(deps),
    ...createShareUses(deps),
    limits: settings.limits,
    now: stores.now,
    listDomains: bind(listDomains),
    authenticateToken: (token: string | undefined, view?: SessionView) =>
      authenticateToken(mail, token, view),
    ...createTicketUses(deps),

    createSession: bind(createSession),
    createSessionWithWebhook: bind(createSessionWithWebhook),
    createCaptureSession: bind(createCaptureSession),
    preparePassword: bind(preparePassword),
    keepPassword: bind(keepPassword),
    reopenByPassword: bind(reopenByPassword),
    findSession: (key: SessionKey, view?: SessionView) => mail.findSessionByKey(key, view),
    showSession: (live: LiveSession, share: Share | undefined) =>
      showSession(
        { ...deps, listNewest: (session, limit) => checkMail(deps, session, { limit }) },
        live,
        share,
      ),
    extendSession: bind(extendSession),
    renameSession: bind(renameSession),
    endSession: ({ key }: Session) => mail.endSession(key),

    checkMail: bind(checkMail),
    findListedMessage: bind(findListedMessage),
    waitForMessage: bind(waitForMessage),
    waitMail: bind(waitMail),
    readMail: bind(readMail),
    loadMessage: bind(loadMessage),
    readRawMail: bind(readRawMail),
    exportMail: async (session: OpenSession) =>
      (await import('./mail/export-mail.ts')).exportMail(deps, session),
    readAttachment: bind(readAttachment),
    useWholeMail: bind(useWholeMail),
    readHtmlMail: bind(readHtmlMail),
    readInlineImage: bind(readInlineImage),
    readRemoteImage: bind(readRemoteImage),
    isRead: async ({ key }: Session, id: number) => (await mail.findMessage(key, id))?.isRead === true,
    /** Cached answers of read-mail, cleared with the session. */
    answers,

    readLog: bind(readLog),
    /** Whether the position is known, without a read, to be the end of the session's log. */
    isAtLogEnd: (key: SessionKey, position: number) => mail.isAtEnd(key, position),
    /** @throws MayflyError too_many_streams, unavailable */
    enterLive: (kind: ReaderKind, key: SessionKey, reader: LiveReader) => live.enter(kind, key, reader),
    /** Keeps a thread ready for the first look at a message of the session. */
    expectMail: bind(expectMail),
  };
}

/** For webhooks, which have no token. */
function createNewsUses(deps: FreshMailDeps & Pick<Stores, 'mail'>) {
  const bind = bindTo(deps);
  return {
    listFreshMail: bind(listFreshMail),
    readFreshMail: bind(readFreshMail),
    hasMessage: async ({ key }: Session, id: number) => (await deps.mail.findMessage(key, id)) !== undefined,
  };
}

/** Operations on several messages. */
function createFilteredUses(deps: CheckMailDeps & MatchDeps & DeleteDeps) {
  const bind = bindTo(deps);
  return {
    findMessages: bind(findMessages),
    examineMail: bind(examineMail),
    deleteMail: bind(deleteMail),
    deleteMatching: bind(deleteMatching),
    deleteMessages: bind(deleteMessages),
    markMail: bind(markMail),
  };
}

/** Tickets stand in links for the token. */
function createTicketUses(deps: TicketDeps) {
  const bind = bindTo(deps);
  return { issueTicket: bind(issueTicket), authenticateTicket: bind(authenticateTicket) };
}

/** The use cases of shares, for their holders and readers. */
function createShareUses(deps: ShareDeps) {
  const bind = bindTo(deps);
  return {
    authenticateShare: bind(authenticateShare),
    createShare: bind(createShare),
    listShares: bind(listShares),
    revokeShare: bind(revokeShare),
    confirmShare: bind(confirmShare),
  };
}

/** Planned SMTP faults, for testing senders. */
function createFaults(deps: SmtpFaultsDeps) {
  const bind = bindTo(deps);
  return {
    setSmtpFaults: bind(setSmtpFaults),
    addSmtpFault: bind(addSmtpFault),
    showSmtpFaults: bind(showSmtpFaults),
  };
}

/** The use cases of push notifications, for holders without an open page. */
function createPushUses(deps: PushDeps) {
  const bind = bindTo(deps);
  return {
    /** Null where the operator has not enabled push. */
    pushKey: deps.push?.publicKey ?? null,
    subscribePush: bind(subscribePush),
    unsubscribePush: bind(unsubscribePush),
  };
}

/** The use cases of programs that read mail as its sender wrote it, such as tests of senders. */
function createSourceReads(deps: MessageHeadsDeps & WaitDeps) {
  const bind = bindTo(deps);
  return {
    listHeads: bind(listHeads),
    peekMail: bind(peekMail),
    loadParsedMail: bind(loadParsedMail),
    readContents: bind(readContents),
    reportMail: bind(reportMail),
    checkForMailpit: bind(checkForMailpit),
    /** Reports whether the text contains the part, ignoring case and spacing; long texts are searched in a thread. */
    searchText: (session: Session, text: string, part: string) =>
      deps.parser.search(text, part, requesterOf(session)),
    /** Tries until there is a result, the time is up or the caller has gone; see wait-for. */
    waitFor: <T>(
      session: OpenSession,
      waiting: WaitOptions,
      attempt: (live: LiveSession) => Promise<T | undefined>,
    ) => waitFor(deps, { session, ...waiting }, attempt),
  };
}

export interface ReceivingParts
  extends
    Pick<
      ServiceParts,
      | 'readers'
      | 'parser'
      | 'sanitiser'
      | 'glances'
      | 'authentications'
      | 'deliveryLog'
      | 'live'
      | 'smtpFaults'
      | 'sharedInbox'
      | 'turns'
    >,
    Omit<AuthenticateSmtpDeps, 'mail'> {
  readonly refusedRecipients: { readonly note: NoteUnknownRecipient };
  /** Called for each message that was discarded for a recipient. */
  readonly onDiscarded: () => void;
  /** Called with the recipients of each message stored over SMTP. */
  readonly onStored: (recipients: readonly Recipient[]) => void;
  /** Called for each message accepted for a recipient, over SMTP or from Gmail, after its commit. Must not throw. */
  readonly onReceived: (received: Received) => void;
  /** Reports whether the operator blocked the sender of a message from a Gmail account. */
  readonly isSenderBlocked: (mailFrom: string | null) => boolean;
  readonly onGmailMessage: (result: GmailResult) => void;
  /** Called for each session that a message was stored in, over SMTP or from Gmail. Must not throw. */
  readonly onDelivered: DeliverDeps['onDelivered'];
}

/** Like `RefusedRecipients.note`, with the host that named the recipient. */
type NoteUnknownRecipient = (...noted: [...Parameters<RefusedRecipients['note']>, peer: RefusedPeer]) => void;

export type Receiving = ReturnType<typeof createReceiving>;

/** The use cases of incoming mail. */
export function createReceiving(
  stores: Pick<Stores, 'mail' | 'directory' | 'operatorMailbox' | 'sentKeys' | 'now'>,
  settings: Pick<ServiceSettings, 'limits' | 'hostname'>,
  parts: ReceivingParts,
) {
  const { mail, directory, operatorMailbox, sentKeys, now } = stores;
  const deps = { ...parts, ...settings, mail, directory, operatorMailbox, sentKeys, now };
  const bind = bindTo(deps);
  return {
    authenticateSmtp: bind(authenticateSmtp),
    /** Planned faults. */
    smtpFaults: parts.smtpFaults,
    /** Returns the session of mail that belongs to no other. */
    standingSession: (): SessionKey | undefined => parts.sharedInbox?.key(),
    resolveRecipient: bind(resolveRecipient),
    /** Reports whether the session refuses a message of this size. */
    isFull: (session: Session, sizeBytes: number) => isFull(settings.limits, session, sizeBytes),
    receiveMessage: bind(receiveMessage),
    importMessage: async (session: Session, file: ImportedFile) =>
      (await import('./receiving/import-message.ts')).importMessage(deps, session, file),
    beginOnce: async (session: Session, call: OnceCall) =>
      (await import('./receiving/begin-once.ts')).beginOnce(deps, session, call),
    recordRefusal: (...refused: Parameters<DeliveryLog['recordRefusal']>) => {
      parts.deliveryLog.recordRefusal(...refused);
    },
    recordUnknownRecipient: parts.refusedRecipients.note,
    findAliasSession: (alias: string) => mail.findLiveSession(alias),
    receiveGmailMessage: bind(receiveGmailMessage),
    refuseLargeGmailMessage: bind(refuseLargeGmailMessage),
    refuseBlockedGmailSender: bind(refuseBlockedGmailSender),
  };
}

/** Binds use cases to what they need; each names the part of it. */
function bindTo<D>(deps: D) {
  return <A extends unknown[], R>(useCase: (deps: D, ...given: A) => R): ((...given: A) => R) =>
    useCase.bind(undefined, deps);
}
