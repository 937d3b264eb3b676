// The decisions and words of matchers, and the masks of a snapshot; test/system/matchers.long.test.ts has them in the runners.

import { expect, it } from 'vitest';

import { toHaveReceived, toMailSnapshot, toPassReport } from './matchers.ts';
import { maskDates } from './mask-dates.ts';
import { maskMail } from './mask-mail.ts';
import { Mayfly } from './mayfly.ts';

function summaryOf(number: number) {
  return {
    id: number,
    sender_name: 'Shop',
    sender_email: 'hello@shop.example',
    subject: 'Welcome',
    received_at: '2030-01-02 03:04:05',
    recipients: ['fox@mayfly.test'],
    code: String(482_913 + number),
  };
}

function messageOf(number: number) {
  const { code, ...summary } = summaryOf(number);
  const url = `https://shop.example/verify/a1B2c3D4e5F6${number}g7H8?u=${1000 + number}&lang=en`;
  const date = `2030-01-0${number} 10:00`;
  return {
    ...summary,
    code,
    to: [{ name: '', email: 'fox@mayfly.test' }],
    cc: [],
    envelope: { mail_from: 'a@shop.example', rcpt_to: ['fox@mayfly.test'], tags: [] },
    attachments: [{ id: '2', filename: 'terms.pdf', content_type: 'application/pdf' }],
    codes: [{ value: code, kind: 'otp', confidence: 1, context: '' }],
    links: [{ url, text: 'Confirm', kind: 'verify', clickable: true, flags: [] }],
    text: `Hello fox@mayfly.test, ${code} is your code until ${date}.\nOrder 1234567 of ${number} January 2030, 12 pieces for €1200.\n${url}\n`,
    html: `<p>Hello, <b>${code}</b></p><a href="${url.replace('&', '&amp;')}">Confirm</a><img src="/inline-image?id=${number}&amp;ticket=x${number}&amp;part=2">`,
  };
}

const finding = {
  rule: 'links/misleading',
  severity: 'error',
  message: 'The text names bank.example.',
  advice: 'Name the host.',
  part: 'html',
  name: null,
  line: 3,
  column: 7,
  excerpt: '<a href="https://evil.example/">',
};

async function openInbox() {
  const answers: Readonly<Record<string, (id: number) => object>> = {
    '/create-session': () => ({ email: 'fox@mayfly.test', token: 'mf_t', expires_at: '2030-01-02 03:04:05' }),
    '/check-mail': (after) => ({ messages: after < 1 ? [summaryOf(1)] : [] }),
    '/read-mail': (id) => ({ message: messageOf(id) }),
    '/report': () => ({ report: { findings: [finding], omitted: 0 } }),
    '/session': () => ({
      deliveries: [],
      expires_at: '2030-01-02 03:04:05',
      expires_in: 1,
      created_at: '2030-01-02 03:04:05',
    }),
  };
  const mayfly = new Mayfly({
    url: 'http://127.0.0.1:1',
    fetch: async (input) => {
      const { pathname, searchParams } = new URL(String(input instanceof Request ? input.url : input));
      const number = Number(searchParams.get('id') ?? searchParams.get('after') ?? 0);
      return Response.json({ status: 'success', ...answers[pathname]?.(number) });
    },
  });
  return mayfly.createInbox();
}

it('fails for findings worse than allowed, with their places and what to do', async () => {
  const mail = await (await openInbox()).read(1);
  const failed = await toPassReport(mail);
  expect(failed.pass).toBe(false);
  expect(failed.message()).toBe(
    [
      'The report on "Welcome" has a finding worse than warning:',
      '  error links/misleading at html:3:7',
      '    The text names bank.example.',
      '    Name the host.',
      '    > <a href="https://evil.example/">',
      'A rule that does not matter here can be left out with `ignore: ["…"]`.',
    ].join('\n'),
  );
  for (const options of [
    { max: 'error' },
    { ignore: ['links/misleading'] },
    { ignore: ['links/*'] },
  ] as const) {
    expect((await toPassReport(mail, options)).pass).toBe(true);
  }
  await expect(toPassReport({ ...mail })).rejects.toThrow(
    'toPassReport takes a message as an inbox returned it',
  );
});

it('finds a message by text and expression, and says why others do not fit', async () => {
  const inbox = await openInbox();
  for (const wanted of [
    { subject: 'WELC', from: 'shop', to: 'fox@', code: '482914' },
    { subject: /^Welcome$/g, code: true },
    { code: /^\d{6}$/ },
  ] as const) {
    expect(await toHaveReceived(inbox, { ...wanted, timeout: 0 })).toMatchObject({ pass: true });
  }
  const missed = await toHaveReceived(inbox, { subject: 'Welcome', code: '1', timeout: 0 });
  expect(missed.pass).toBe(false);
  expect(missed.message()).toBe(
    [
      'fox@mayfly.test has not received a message with subject "Welcome" with code "1".',
      'What is there, newest first:',
      '  "Welcome" from hello@shop.example: its code is "482914", not "1"',
    ].join('\n'),
  );
});

it('makes the same snapshot of two mails of one template', async () => {
  const inbox = await openInbox();
  const [one, two] = [await toMailSnapshot(await inbox.read(1)), await toMailSnapshot(await inbox.read(2))];
  expect(two).toBe(one);
  expect(one).toBe(
    [
      'From: Shop <hello@shop.example>',
      'To: [address]',
      'Subject: Welcome',
      'Attachments: terms.pdf (application/pdf)',
      '',
      '── text ──',
      'Hello [address], [code] is your code until [date].',
      'Order [id] of [date], 12 pieces for €1200.',
      'https://shop.example/verify/[token]?u=[token]&lang=en',
      '',
      '── links ──',
      'verify https://shop.example/verify/[token]?u=[token]&lang=en “Confirm”',
      '',
      '── html ──',
      '<p>Hello, <b>[code]</b>',
      '</p>',
      '<a href="https://shop.example/verify/[token]?u=[token]&amp;lang=en">Confirm</a>',
      '<img src="[picture]">',
      '',
    ].join('\n'),
  );
});

it('refuses options that are none, and values of another kind', async () => {
  const inbox = await openInbox();
  const received = async (wanted: unknown): Promise<string> =>
    failureOf(toHaveReceived(inbox, wanted as object));
  expect(await received({ subjet: 'Welcome' })).toBe(
    'toHaveReceived has no option "subjet". It has subject, from, to, contains, code, timeout.',
  );
  expect(await received('Welcome')).toContain('takes an object of options');
  expect(await received(/Welcome/)).toContain('not /Welcome/');
  expect(await received({ code: 482_914 })).toBe(
    'toHaveReceived: code must be a string, a regular expression or true, not 482914.',
  );
  expect(await received({ to: ['fox@'] })).toContain('to must be a string or a regular expression');
  for (const timeout of ['1', Number.NaN, -1]) {
    expect(await received({ timeout })).toContain('timeout must be a number of milliseconds');
  }
  const mail = await inbox.read(1);
  expect(await failureOf(toPassReport(mail, { maximum: 'none' } as object))).toContain(
    'has no option "maximum"',
  );
  expect(await failureOf(toPassReport(mail, { ignore: 'text/*' as never }))).toContain(
    'ignore must be a list',
  );
  expect(await failureOf(toPassReport(inbox.read(1) as never))).toContain('not a promise: await it first');
  expect(await failureOf(toMailSnapshot(mail, 5 as never))).toContain('not 5');
});

it('looks for longer after `not` only when a time is given', async () => {
  const inbox = await openInbox();
  const gone = await toHaveReceived(inbox, { subject: 'Other' }, { isNot: true, timeout: 60_000 });
  expect(gone.pass).toBe(false);
  expect(await toHaveReceived(inbox)).toMatchObject({ pass: true });
});

async function failureOf(failing: Promise<unknown>): Promise<string> {
  try {
    await failing;
  } catch (error) {
    return String(error).replace('TypeError: ', '');
  }
  return 'It did not fail.';
}

it.each('en de fr es pt-BR it nl pl ru uk tr sv da nb fi cs hu el ja zh ko ar he vi id'.split(' '))(
  'masks dates as they are written in %s',
  (language) => {
    for (const dateStyle of ['full', 'long', 'medium'] as const) {
      const format = new Intl.DateTimeFormat(language, {
        dateStyle,
        timeStyle: 'short',
        timeZone: 'UTC',
        calendar: 'gregory',
        numberingSystem: 'latn',
      });
      const texts = Array.from({ length: 24 }, (_, number) =>
        maskDates(
          format
            .format(new Date(Date.UTC(2026, number % 12, 1 + number, number, 10 + number)))
            .replaceAll(/[\u200E\u200F\u061C]/g, '')
            .replaceAll(/[\u00A0\u2009\u202F]/g, ' '),
        ),
      );
      expect(new Set(texts).size, [...new Set(texts)].join('\n')).toBe(1);
    }
  },
);

it('masks codes wherever they are, and leaves what the template says', async () => {
  const inbox = await openInbox();
  const mail = await inbox.read(1);
  const snapshotOf = (html: string, text = ''): string => maskMail({ ...mail, links: [], html, text });
  for (const [make, shown] of [
    [(code: string) => `<p>${code.slice(0, 3)} ${code.slice(3)}</p>`, '<p>[code]</p>'],
    [(code: string) => `<tr>${[...code].map((one) => `<td>${one}</td>`).join('')}</tr>`, '<td>[code]</td>'],
    [(code: string) => `<img alt="Code ${code}" src="https://shop.example/c/${code}.png">`, 'c/[code].png'],
    [(code: string) => `<a href="https://shop.example/v_${code}/now">Now</a>`, '/v_[code]/now'],
  ] as const) {
    const html = make('482914');
    expect(snapshotOf(html)).toContain(shown);
    expect(snapshotOf(html)).not.toMatch(/482|914/);
  }
  const fixed = '<p style="color: #123456">From €1,200.50: 24 pieces, page 3 of 1024, ISO 8601, © Shop</p>';
  expect(snapshotOf(fixed)).toContain(fixed);
  const words = 'Order #1234567, INV-2026-16249, AB318457, from 203.0.113.9, in March 2026, © 2026 Shop';
  expect(snapshotOf('', words)).toContain('Order [id], [id], [id], from [ip], in [date], © [year] Shop');
});
