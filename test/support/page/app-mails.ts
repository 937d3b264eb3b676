// Realistic mail of websites, for tests and pictures of the page.
import type { SendMailOptions } from 'nodemailer';

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** With a code, a button, a remote picture and a legal line. */
export const codeMail: SendMailOptions = {
  from: 'Brook Bank <security@brookbank.example>',
  subject: 'Your verification code is 482 913',
  text: 'Your verification code is 482913. It is valid for 10 minutes.\n\nIf you did not ask for it, ignore this message.',
  html: `<!DOCTYPE html><html><body style="margin:0;font-family:Arial,sans-serif;background:#f2f4f8">
<table width="100%" cellpadding="24"><tr><td align="center"><table width="460" cellpadding="28" style="background:#fff;border-radius:10px">
<tr><td><h1 style="font-size:22px;margin:0 0 12px">Confirm it is you</h1>
<p style="line-height:1.5">Your verification code is <b>482913</b>. It is valid for 10 minutes.</p>
<p style="font-size:34px;letter-spacing:8px;background:#eef1f6;padding:16px;text-align:center">482913</p>
<p style="color:#666;font-size:13px">If you did not ask for it, ignore this message.</p>
<img src="https://track.brookbank.example/open.gif" width="1" height="1" alt=""></td></tr></table></td></tr></table></body></html>`,
};

/** With a verification link. */
export const linkMail: SendMailOptions = {
  from: 'Paper Kites <hello@paperkites.example>',
  subject: 'Please confirm your e-mail address',
  text: 'Welcome!\n\nConfirm your e-mail address: https://paperkites.example/verify-email?token=4f9a1c77e0b24d6b\n',
  html: '<p>Welcome!</p><p><a href="https://paperkites.example/verify-email?token=4f9a1c77e0b24d6b">Confirm your e-mail address</a></p>',
};

/** With two attachments. */
export const attachmentMail: SendMailOptions = {
  from: 'Nora Lindqvist <nora@lindqvist.example>',
  subject: 'Tickets for Saturday',
  text: 'Hello,\n\nhere are the tickets. See you at seven.\n\nNora',
  attachments: [
    { filename: 'tickets.pdf', content: Buffer.from('%PDF-1.4\n%%EOF\n') },
    { filename: 'seat plan.png', content: dot },
  ],
};

/** Right to left, whatever the direction of the page. */
export const arabicMail: SendMailOptions = {
  from: 'متجر النخيل <orders@alnakheel.example>',
  subject: 'رمز التحقق الخاص بك هو 731904',
  text: 'مرحبًا،\n\nرمز التحقق الخاص بك هو 731904. ينتهي خلال عشر دقائق.\n',
};
