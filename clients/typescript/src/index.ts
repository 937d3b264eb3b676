export { Capture, type SmtpLogin } from './capture.ts';
export { MailTimeout, MayflyError, MayflyUnreachable, type NearMiss } from './errors.ts';
export type { EventsOptions, InboxEvent } from './events.ts';
export { Inbox, type MessageRef } from './inbox.ts';
export type { WaitOptions } from './wait-options.ts';
export type { LinkMatch, MessageMatch } from './match.ts';
export { type CreateCaptureOptions, type CreateInboxOptions, Mayfly, type MayflyOptions } from './mayfly.ts';
export type {
  Attachment,
  Authentication,
  Code,
  Delivery,
  Domain,
  Envelope,
  Finding,
  HeaderField,
  Mailbox,
  MailClient,
  MailReport,
  Message,
  MessageLink,
  MessageSummary,
  OtherMail,
  RefusedRecipient,
  Unsubscribe,
} from './models.ts';
