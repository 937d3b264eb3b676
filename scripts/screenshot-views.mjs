// The views that `npm run screenshots` takes beside the main ones: each begins with an address of its own, and leaves the
// page as its picture needs it.

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('nodemailer').SendMailOptions} Mail */
/**
 * @typedef {object} View
 * @property {string} name
 * @property {readonly Mail[]} [mails] sent before `show`, the newest last
 * @property {number} [lifetime] seconds of the address
 * @property {number} [others] further addresses
 * @property {(page: Page, isPhone: boolean) => Promise<void>} show
 */

const stamp = '20301204T170000Z';
const invitation = [
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
].join('\r\n');
const code = {
  from: 'Brook Bank <security@brookbank.example>',
  subject: 'Your verification code is 482 913',
  text: 'Your verification code is 482913. It is valid for 10 minutes.\n',
};
const plain = {
  from: 'Sam <sam@home.example>',
  subject: 'Re: lunch?',
  html: `<p>Hello Robin,</p><p>at 12:30 then, by the <a href="https://river.example/">river</a>.</p><p>Sam</p>
<blockquote type="cite"><p>Lunch tomorrow?</p></blockquote><p>-- <br>Sam Reed<br>Harbour Office</p>`,
};
const doubtful = {
  from: 'Orchard <hello@orchard.example>',
  subject: 'Your account',
  html: '<p>Sign in at <a href="https://xn--pple-43d.example/login">https://orchard.example/login</a> to go on.</p>',
};
const signIn = {
  from: 'Slate <team@slate.example>',
  subject: 'Sign in to Slate',
  html: '<p>Tap the button to sign in.</p><p><a href="https://slate.example/magic-link?token=4f9a1c77e0b24d6b">Sign in to Slate</a></p>',
};
const letters = ['Tickets for Saturday', 'Your receipt', 'Ten slow walks through Lisbon'].map((subject) => ({
  from: 'Nora Lindqvist <nora@lindqvist.example>',
  subject,
  text: 'See you at seven.\n',
}));

/** @param {Page} page @param {RegExp} name */
async function read(page, name) {
  await page.getByRole('link', { name }).first().click();
  await page.getByRole('tabpanel').waitFor();
  await page.locator('iframe').waitFor();
  await page.frames().at(-1)?.waitForLoadState('load');
}

/** @type {readonly View[]} */
export const moreViews = [
  {
    name: 'code',
    show: (page, isPhone) =>
      page
        .locator(isPhone ? '.code-bar.is-pinned' : '.reader .code')
        .first()
        .waitFor(),
    mails: [...letters, code],
  },
  {
    name: 'search',
    mails: [...letters, code],
    show: async (page) => {
      await page.getByRole('searchbox').fill('from:nora saturday');
      await page.locator('.row mark').first().waitFor();
    },
  },
  {
    name: 'selecting',
    mails: letters,
    show: async (page) => {
      await page.getByRole('button', { name: 'Select messages' }).click();
      await page.getByRole('checkbox', { name: /receipt/ }).check();
    },
  },
  {
    name: 'undo',
    mails: letters,
    show: async (page) => {
      await page.getByRole('link', { name: /receipt/ }).click();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('Message deleted').waitFor();
    },
  },
  { name: 'plain', mails: [plain], show: (page) => read(page, /lunch/) },
  { name: 'sign-in', mails: [signIn], show: (page) => read(page, /Slate/) },
  {
    name: 'doubtful-link',
    mails: [doubtful],
    show: async (page) => {
      await read(page, /account/);
      await page.locator('iframe').contentFrame().getByRole('link').click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'event',
    mails: [
      {
        from: 'Nora Lindqvist <nora@lindqvist.example>',
        subject: 'Invitation',
        text: 'Shall we?\n',
        icalEvent: { method: 'REQUEST', content: invitation },
      },
    ],
    show: async (page) => {
      await page.getByRole('link', { name: /Invitation/ }).click();
      await page.getByText('Walk through the harbour').first().waitFor();
    },
  },
  {
    name: 'addresses',
    others: 2,
    mails: [code],
    show: async (page, isPhone) => {
      if (isPhone) await page.locator('.sheet-button').click();
    },
  },
  {
    name: 'ending',
    lifetime: 280,
    mails: letters,
    show: (page) => page.getByRole('button', { name: 'Extend' }).nth(1).waitFor(),
  },
];
