// The functions that read the bodies of calls that send mail, by the names that pass between threads.

import { readSendCall } from './mailpit/read-send.ts';
import { readBrevoEmail } from './brevo/read-email.ts';
import { readMailgunMessage, readMailgunMime } from './mailgun/read-messages.ts';
import {
  readPostmarkBatch,
  readPostmarkEmail,
  readPostmarkTemplateBatch,
  readPostmarkTemplateEmail,
} from './postmark/read-emails.ts';
import { readResendBatch, readResendEmail } from './resend/read-emails.ts';
import { readSendgridSend } from './sendgrid/read-send.ts';
import { readSesBulk, readSesEmail } from './ses/read-email.ts';
import { readSesQuery } from './ses/read-query.ts';
import type { ReadCall } from './compose.ts';

const readers: Readonly<Record<string, ReadCall>> = {
  mailpit: readSendCall,
  brevo: readBrevoEmail,
  'mailgun-message': readMailgunMessage,
  'mailgun-mime': readMailgunMime,
  'postmark-email': readPostmarkEmail,
  'postmark-batch': readPostmarkBatch,
  'postmark-template': readPostmarkTemplateEmail,
  'postmark-templates': readPostmarkTemplateBatch,
  'resend-email': readResendEmail,
  'resend-batch': readResendBatch,
  sendgrid: readSendgridSend,
  'ses-email': readSesEmail,
  'ses-bulk': readSesBulk,
  'ses-query': readSesQuery,
};

export function readerOf(name: string): ReadCall {
  const reader = readers[name];
  if (!reader) throw new Error('No such reader.');
  return reader;
}
