// Schemas with names in the document, so that generated clients have one type for each. All others are inline.

import type { Schema } from '#http-parts/json-schema';
import { authenticationDetails, authenticationSchema } from './authentication-view.ts';
import { deliverySchema, otherMailSchema, refusedRecipientSchema } from './delivery-view.ts';
import {
  attachment,
  code,
  envelope,
  fullMessage,
  headerField,
  link,
  unsubscribe,
} from './full-message-schema.ts';
import { domain, gmailAccount } from '../operations/list-domains.ts';
import { shareSchema } from '../operations/manage-shares.ts';
import { findingSchema, mailClientSchema, reportSchema } from './report-view.ts';
import { failure, mailbox, messageSummary } from './schemas.ts';
import { webhookSchema } from './webhook-view.ts';

export const namedSchemas: Readonly<Record<string, Schema>> = {
  Error: failure,
  Domain: domain,
  GmailAccount: gmailAccount,
  MessageSummary: messageSummary,
  Message: fullMessage,
  Mailbox: mailbox,
  HeaderField: headerField,
  Attachment: attachment,
  Code: code,
  MessageLink: link,
  Unsubscribe: unsubscribe,
  Envelope: envelope,
  Authentication: authenticationSchema,
  AuthenticationDetails: authenticationDetails,
  Delivery: deliverySchema,
  RefusedRecipient: refusedRecipientSchema,
  OtherMail: otherMailSchema,
  Share: shareSchema,
  Webhook: webhookSchema,
  MailReport: reportSchema,
  Finding: findingSchema,
  MailClient: mailClientSchema,
};
