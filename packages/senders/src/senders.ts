// The services whose interfaces are read here.

import { brevo } from './brevo/brevo.ts';
import { mailgun } from './mailgun/mailgun.ts';
import { postmark } from './postmark/postmark.ts';
import { resend } from './resend/resend.ts';
import type { Sender } from './sender.ts';
import { sendgrid } from './sendgrid/sendgrid.ts';
import { ses } from './ses/ses.ts';

export const senders: readonly Sender[] = [brevo, mailgun, postmark, resend, sendgrid, ses];
