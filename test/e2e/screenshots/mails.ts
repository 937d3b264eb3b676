// The mails of the pictures.
import type { SendMailOptions } from 'nodemailer';

import { attachmentMail, codeMail, linkMail } from '../../support/page/app-mails.ts';

const nora = 'Nora Lindqvist <nora@lindqvist.example>';

export const letters: readonly SendMailOptions[] = [
  { from: nora, subject: 'Tickets for Saturday', text: 'See you at seven.\n' },
  { from: 'Hubbub <noreply@hubbub.example>', subject: 'Your receipt', text: 'Thank you for your order.\n' },
  {
    from: 'The Paper Weekly <news@paper.example>',
    subject: 'Ten slow walks through Lisbon',
    text: 'Start at the river.\n',
  },
];

export const manyMails: readonly SendMailOptions[] = [
  {
    from: 'Zoom <no-reply@zoom.example>',
    subject: '104728 is your Zoom code',
    text: 'Your code is 104728.\n',
  },
  { from: 'Sam <sam@home.example>', subject: 'lunch?', text: 'Lunch tomorrow at 12:30?\n' },
  ...letters.slice(1),
  linkMail,
  {
    from: 'Книжный дом <info@kniga.example>',
    subject: 'Код подтверждения',
    text: 'Ваш код подтверждения: 305518\n',
  },
  attachmentMail,
  codeMail,
];

export const plainMail: SendMailOptions = {
  from: 'Sam <sam@home.example>',
  subject: 'Re: lunch?',
  html: `<p>Hello Robin,</p><p>at 12:30 then, by the <a href="https://river.example/">river</a>.</p><p>Sam</p>
<blockquote type="cite"><p>Lunch tomorrow?</p></blockquote><p>-- <br>Sam Reed<br>Harbour Office</p>`,
};

export const foldedText: SendMailOptions = {
  from: nora,
  subject: 'Re: Saturday',
  text: 'Gladly.\n\nOn Monday, Ann wrote:\n> Are you coming?\n> There is room for four.\n\n-- \nNora Lindqvist\nHarbour Office\n',
};

const story = (title: string): string =>
  `<td width="300" style="width:300px;padding:10px;vertical-align:top"><h2 style="font-size:20px;margin:0 0 8px">${title}</h2>
<p style="font-size:16px;line-height:24px;margin:0">Start at the river, and go up the long stairs before it gets warm. Tea is at the top.</p></td>`;

export const newsletter: SendMailOptions = {
  from: 'The Paper Weekly <news@paper.example>',
  subject: 'Ten slow walks through Lisbon',
  html: `<body style="margin:0;background:#efe9dd;font-family:Georgia,serif"><table width="640" align="center" style="width:640px;background:#fffdf8;color:#2b2419">
<tr><td colspan="2" style="padding:24px 20px 8px"><h1 style="font-size:32px;margin:0">The Paper Weekly</h1></td></tr>
<tr>${story('Up to the castle')}${story('Down to the docks')}</tr><tr>${story('Across the gardens')}${story('Around the market')}</tr></table></body>`,
};

export const signInMail: SendMailOptions = {
  from: 'Slate <team@slate.example>',
  subject: 'Sign in to Slate',
  html: '<p>Tap the button to sign in.</p><p><a href="https://slate.example/magic-link?token=4f9a1c77e0b24d6b">Sign in to Slate</a></p>',
};

export const parcelMail: SendMailOptions = {
  from: 'Parcel Point <locker@parcelpoint.example>',
  subject: 'Your parcel is ready for pickup',
  text: 'Your parcel is ready at the locker in Harbour Street.\n\nPickup code: 739204\n\nIt stays there until Friday.\n',
};

export const doubtfulMail: SendMailOptions = {
  from: 'Orchard <hello@orchard.example>',
  subject: 'Your account',
  html: '<p>Sign in at <a href="https://xn--pple-43d.example/login">https://orchard.example/login</a> to go on.</p>',
};

const stamp = '20301204T170000Z';
export const eventMail: SendMailOptions = {
  from: nora,
  subject: 'Invitation',
  text: 'Shall we?\n',
  icalEvent: {
    method: 'REQUEST',
    content: [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Example//EN',
      'METHOD:REQUEST',
      'BEGIN:VEVENT',
      'UID:1@example',
      `DTSTAMP:${stamp}`,
      `DTSTART:${stamp}`,
      'DTEND:20301204T173000Z',
      'SUMMARY:Walk through the harbour',
      'LOCATION:Pier 4',
      'ORGANIZER;CN=Nora Lindqvist:mailto:nora@lindqvist.example',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  },
};

export const longMail: SendMailOptions = {
  from: 'Bureau of Exceptionally Long Sender Names and Addresses <correspondence@bureau.example>',
  subject: 'About the rules for subjects that go on for longer than any row of any list has room for them',
  text: `Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz\n\nhttps://bureau.example/${'0123456789abcdef'.repeat(9)}\n`,
};

export const testMails: readonly SendMailOptions[] = [
  {
    from: 'Shop <app@shop.example>',
    to: 'ann@customers.example',
    subject: 'Welcome to the shop',
    text: 'Hello Ann.\n',
  },
  {
    from: 'Shop <app@shop.example>',
    to: 'bert@customers.example',
    subject: 'Your code',
    text: 'Your verification code is 120045.\n',
  },
  {
    from: 'Shop <app@shop.example>',
    to: 'Ann Lee <ann@customers.example>',
    cc: 'carl@customers.example',
    bcc: 'audit@shop.example',
    subject: 'Order 5521 is on its way',
    html: `<body style="margin:0;background:#eef3f8;font-family:Arial,sans-serif"><div style="max-width:560px;margin:0 auto;background:#fff;padding:24px;color:#1b2330">
<h1 style="font-size:22px;margin:0 0 12px">It is on its way</h1><p>Order 5521 left our house today and is with you on Friday.</p>
<p><a style="display:inline-block;background:#0b5fff;color:#fff;padding:12px 20px;border-radius:6px" href="https://shop.example/orders/5521">See the order</a></p></div></body>`,
  },
];
