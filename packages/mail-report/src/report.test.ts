// Each rule, by a message that breaks it; and a message that breaks none.

import { describe, expect, it } from 'vitest';

import type { Finding } from './findings.ts';
import { createReport } from './report.ts';
import type { ReportInput } from './report-input.ts';

const sentence = 'Thank you for your order of three pairs of shoes, which will arrive on Monday morning.';
const body = `<p style="color:#222222;background-color:#ffffff">${sentence}</p>`;

function page(inner: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><title>Order</title><meta name="color-scheme" content="light only">${head}</head><body>${inner}</body></html>`;
}

const pass = { result: 'pass', domain: 'shop.example' };
const good: ReportInput = {
  subject: 'Your order',
  from: { name: 'Shop', email: 'hello@shop.example' },
  headers: [
    { name: 'From', value: 'Shop <hello@shop.example>' },
    { name: 'Date', value: 'Thu, 26 Nov 2026 10:00:00 +0000' },
    { name: 'Message-ID', value: '<1@shop.example>' },
    { name: 'Subject', value: 'Your order' },
    { name: 'List-Unsubscribe', value: '<https://shop.example/leave?u=1>, <mailto:leave@shop.example>' },
    { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
    {
      name: 'DKIM-Signature',
      value: 'v=1; d=shop.example; s=a; h=From:Subject:List-Unsubscribe: List-Unsubscribe-Post; bh=x; b=y',
    },
  ],
  text: sentence,
  html: page(body),
  attachments: [],
  sizeBytes: 4000,
  authentication: {
    spf: pass,
    dkim: { ...pass, signatures: [{ ...pass, selector: 'a' }] },
    dmarc: { ...pass, policy: 'reject' },
  },
  isFromPrivateNetwork: false,
};

function find(changes: Partial<ReportInput>): readonly Finding[] {
  return createReport({ ...good, ...changes }).findings;
}

function rulesOf(changes: Partial<ReportInput>): string[] {
  return find(changes).map(({ rule, severity }) => `${severity} ${rule}`);
}

/** Fields replaced by name; '' removes one. */
function withHeaders(changed: Readonly<Record<string, string>>): Partial<ReportInput> {
  const kept = good.headers.filter(({ name }) => !(name in changed));
  const added = Object.entries(changed).flatMap(([name, value]) => (value === '' ? [] : [{ name, value }]));
  return { headers: [...kept, ...added] };
}

it('finds nothing worse than information in a message as it should be', () => {
  const { worst, findings, counts, facts, omitted } = createReport(good);
  expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  expect(worst === null || worst === 'info').toBe(true);
  expect(counts).toMatchObject({ error: 0, warning: 0 });
  expect(omitted).toBe(0);
  expect(facts).toMatchObject({ hasText: true, likeness: 1, lang: 'en', preheader: sentence, links: 0 });
});

describe('rules of the HTML', () => {
  it.each([
    ['error links/misleading', '<a href="https://evil.example/x">www.bank.example</a>'],
    ['error links/dead-fragment', '<a href="#prices">Prices</a>'],
    ['error links/invalid', '<a href="/account">Account</a>'],
    ['error links/invalid', '<a href="https://">Account</a>'],
    ['error links/unsafe-scheme', '<a href="javascript:void(0)">Go</a>'],
    ['error links/user-name', '<a href="https://bank.example@evil.example/">Go</a>'],
    ['warning links/http', '<a href="http://shop.example/a">Go</a>'],
    ['warning links/empty', '<a href="#">Go</a>'],
    [
      'warning links/no-text',
      '<a href="https://shop.example/a"><img src="https://shop.example/a.png" width="9" alt=""></a>',
    ],
    ['warning links/shortener', '<a href="https://bit.ly/x">Go</a>'],
    ['warning links/ip-address', '<a href="https://203.0.113.7/">Go</a>'],
    ['info links/local', '<a href="http://localhost:3000/verify">Go</a>'],
    ['info links/other-sites', '<a href="https://other.example/">Go</a>'],
    [
      'warning links/mixed-hosts',
      Array.from({ length: 6 }, (_, at) => `<a href="https://site${at}.example/">Go</a>`).join(''),
    ],
    ['warning pictures/no-alt', '<img src="https://shop.example/a.png" width="100">'],
    ['error pictures/relative', '<img src="img/a.png" alt="A" width="100">'],
    ['error pictures/missing-part', '<img src="cid:none@x" alt="A" width="100">'],
    ['warning pictures/http', '<img src="http://shop.example/a.png" alt="A" width="100">'],
    ['warning pictures/data', '<img src="data:image/png;base64,AAAA" alt="A" width="100">'],
    ['info pictures/hidden', '<img src="https://shop.example/o.gif" width="1" height="1" alt="">'],
    ['info pictures/no-size', '<img src="https://shop.example/a.png" alt="A">'],
    ['warning contrast/low', '<p style="color:#aaaaaa;background:#ffffff">Pale words</p>'],
    ['error leftover/placeholder', '<p>Hello {{first_name}}, welcome</p>'],
    ['error leftover/placeholder', '<p>Hello %FIRST%, welcome</p>'],
    ['error leftover/placeholder', '<p>Hello *|FNAME|*, welcome</p>'],
    ['error leftover/placeholder', '<p>Hello ${user.name}, welcome</p>'],
    ['error leftover/placeholder', '<p>Hello <%= name %>, welcome</p>'],
    ['error leftover/placeholder', '<a href="https://shop.example/{{id}}">Go</a>'],
    ...[
      '##NAME##',
      '{name}',
      '{first_name}',
      '[FIRST_NAME]',
      '[Your Name]',
      '%%first_name%%',
      '[[data:name:""]]',
      '{% if x %}',
    ].map((left): [string, string] => ['error leftover/placeholder', `<p>Hello ${left}, welcome</p>`]),
    ['error leftover/placeholder', '<p>Hello {{name}}, use <code>{{name}}</code></p>'],
    ['info leftover/placeholder', '<p>Use <code>{{name}}</code> in <pre>Hello ${name}</pre></p>'],
    ['error leftover/value', '<p>Starts at Invalid Date</p>'],
    ['error leftover/value', '<p>Hello undefined, welcome</p>'],
    ['error leftover/value', '<p>Your name is undefined.</p>'],
    ['error leftover/value', '<p>You owe [object Object]</p>'],
    ['error leftover/value', '<p>Total: NaN €</p>'],
    ['error leftover/value', '<p>Hello null, welcome</p>'],
    ['error leftover/value', '<a href="https://shop.example/?u=undefined">Go</a>'],
    ['warning leftover/no-name', '<p>Hello , welcome</p>'],
    ['warning leftover/filler', '<p>Lorem ipsum dolor</p>'],
    ['error support/html-script', '<script>alert(1)</script>'],
    ['warning support/html-svg', '<svg width="1"></svg>'],
  ])('include %s', (rule, inner) => {
    expect(rulesOf({ html: page(body + inner) })).toContain(rule);
  });

  it.each([
    '<a href="https://shop.example/a">shop.example</a>',
    '<a href="https://www.shop.example/a">https://shop.example/a</a>',
    '<a href="#top">Top</a><p id="x">A</p><a href="#x">A</a>',
    '<a href="mailto:a@shop.example">Mail</a><a href="tel:+4930">Call</a>',
    '<p>This behaviour is undefined behaviour in C, null and void.</p>',
    '<p>The result is undefined in this case, and remains undefined for empty lists.</p>',
    '<p>100% OFF. Save 50 % today</p><a href="https://shop.example/?q=%C3%A9%20%AB%CD">Go</a>',
    '<p>Call <code>f({{name}})</code>, <pre>echo ${HOME} %PATH% ##TODO## undefined</pre></p>',
    '<p>Open %APPDATA%\\\\Shop or %TEMP%, \\\\begin{code}, {"name": 1}, a{color}, {a, b}, GET /users/{id}, {3}, :{}</p>',
    '<p>## Heading ##, #sale ##new, ##- Reply above this line -##, C#, [[Main Page]], [Name], [Your order], 5 % {off}</p>',
    '<p>Only $5, ${}, 50%%, *|* and |x|, &lt;3, {i} of {n}, [NEWS] [URGENT], sale: 20%OFF%, @media{print}</p>',
    '<style>.a{color:red}</style><p style="color:#000;background:#fff">Braces { } are fine</p>',
    '<img src="https://shop.example/a.png" alt="" width="100">',
    '<img src="https://shop.example/a.png" aria-hidden="true" width="100">',
  ])('leave %s alone', (inner) => {
    const rules = rulesOf({ html: page(body + inner) }).filter((rule) => !rule.startsWith('info'));
    expect(rules.filter((rule) => !rule.includes('support/'))).toEqual([]);
  });

  it.each([
    ['warning language/missing', page(body).replace(' lang="en"', '')],
    ['warning language/invalid', page(body).replace('"en"', '"english language"')],
    [
      'warning language/mismatch',
      page('<p>Спасибо за ваш заказ, он придёт в понедельник утром, ждите письма.</p>'),
    ],
    [
      'warning direction/missing',
      page('<p>شكرا لطلبك، سيصل صباح يوم الاثنين، انتظر رسالتنا القادمة قريبا جدا</p>'),
    ],
    ['info language/no-title', page(body).replace('<title>Order</title>', '')],
    ['warning preheader/boilerplate', page(`<a href="https://shop.example/w">View in browser</a>${body}`)],
    ['info preheader/repeats-subject', page(`<p>Your order</p>${body}`)],
    ['info dark-mode/not-declared', page(body).replace(/<meta[^>]*>/, '')],
    [
      'warning dark-mode/text-without-background',
      page('<p style="color:#111">Dark words here</p>').replace('light only', 'light dark'),
    ],
    ['error size/clipped', page(body + '<!-- x -->'.repeat(11_000))],
    ['warning size/nearly-clipped', page(body + '<!-- x -->'.repeat(9_600))],
    ['error size/not-read', '<div>'.repeat(2_000)],
  ])('include %s', (rule, html) => {
    expect(rulesOf({ html })).toContain(rule);
  });

  it('name the place in the source', () => {
    const html = page(`${body}\n<p>\n  <a class="b" href="http://shop.example/a">Go</a></p>`);
    const [finding] = find({ html }).filter(({ rule }) => rule === 'links/http');
    expect(finding?.place).toEqual({
      part: 'html',
      name: null,
      line: 3,
      column: 16,
      excerpt: 'href="http://shop.example/a">Go</a></p></body></html>',
    });
  });

  it('place the cut where Gmail makes it', () => {
    const html = `${'é'.repeat(52_223)}\nab\n${'x'.repeat(200)}`;
    const [finding] = find({ html }).filter(({ rule }) => rule === 'size/clipped');
    expect(finding?.place).toMatchObject({
      line: 2,
      column: 2,
      excerpt: expect.stringMatching(/^b x/) as string,
    });
  });
});

describe('rules of the message', () => {
  it.each<[string, Partial<ReportInput>]>([
    ['warning text/missing', { text: null }],
    ['warning text/missing', { text: ' \n' }],
    ['error text/nothing', { text: null, html: null }],
    [
      'warning text/differs',
      { text: 'Please turn on pictures in your mail program in order to see this letter at all.' },
    ],
    ['error sender/from', { from: null, headers: [] }],
    ['warning sender/display-name', { from: { name: 'service@bank.example', email: 'hello@shop.example' } }],
    ['info sender/unchecked', { authentication: null }],
    ['warning header/subject', { subject: ' ' }],
    ['info header/long-subject', { subject: 'word '.repeat(30) }],
    ['warning header/date', withHeaders({ Date: '' })],
    ['warning header/message-id', withHeaders({ 'Message-ID': '' })],
    ['error header/repeated', { headers: [...good.headers, { name: 'Subject', value: 'Another' }] }],
    ['info unsubscribe/missing', withHeaders({ 'List-Unsubscribe': '', 'List-Unsubscribe-Post': '' })],
    [
      'warning unsubscribe/missing',
      withHeaders({ 'List-Unsubscribe': '', 'List-Unsubscribe-Post': '', 'List-Id': '<news.shop.example>' }),
    ],
    ['warning unsubscribe/one-click', withHeaders({ 'List-Unsubscribe-Post': '' })],
    ['error unsubscribe/one-click', withHeaders({ 'List-Unsubscribe-Post': 'yes' })],
    ['error unsubscribe/one-click', withHeaders({ 'List-Unsubscribe': '<mailto:leave@shop.example>' })],
    ['error unsubscribe/invalid', withHeaders({ 'List-Unsubscribe': 'https://shop.example/leave' })],
    ['warning unsubscribe/unsigned', withHeaders({ 'DKIM-Signature': '' })],
    [
      'warning unsubscribe/unsigned',
      withHeaders({ 'DKIM-Signature': 'd=shop.example; s=a; h=From:List-Unsubscribe' }),
    ],
    ['error leftover/placeholder', { subject: 'Hello {{ name }}' }],
    ['error leftover/placeholder', { text: `${sentence} Dear %%FIRSTNAME%%` }],
    ['info leftover/placeholder', { text: `${sentence} Write \`{{name}}\`.` }],
    [
      'info leftover/placeholder',
      { text: `${sentence} Write {{name}}.`, html: page(`${body}<p>Write <code>{{name}}</code>.</p>`) },
    ],
    ['warning size/message', { sizeBytes: 12_000_000 }],
    ['error size/message', { sizeBytes: 30_000_000 }],
  ])('include %s', (rule, changes) => {
    expect(rulesOf(changes)).toContain(rule);
  });

  const { authentication } = good;
  if (authentication === null) throw new Error('It was checked.');
  it.each<[string, ReportInput['authentication']]>([
    ['warning sender/spf', { ...authentication, spf: { result: 'softfail', domain: 'shop.example' } }],
    [
      'warning sender/spf-alignment',
      { ...authentication, spf: { result: 'pass', domain: 'bounce.shop.example' } },
    ],
    ['warning sender/dkim', { ...authentication, dkim: { result: 'none', domain: null, signatures: [] } }],
    [
      'warning sender/dkim-alignment',
      {
        ...authentication,
        dkim: {
          result: 'pass',
          domain: 'esp.example',
          signatures: [{ result: 'pass', domain: 'esp.example', selector: 'k' }],
        },
      },
    ],
    [
      'error sender/dkim',
      {
        ...authentication,
        dkim: {
          result: 'fail',
          domain: null,
          signatures: [{ result: 'fail', domain: 'shop.example', selector: 'a' }],
        },
      },
    ],
    ['warning sender/dmarc', { ...authentication, dmarc: { result: 'none', domain: null, policy: null } }],
    [
      'error sender/dmarc',
      { ...authentication, dmarc: { result: 'fail', domain: 'shop.example', policy: 'reject' } },
    ],
    ['info sender/unchecked', { ...authentication, spf: { result: 'temperror', domain: null } }],
  ])('see the sender as a strict receiver does: %s', (rule, found) => {
    expect(rulesOf({ authentication: found })).toContain(rule);
  });

  it('blame no message straight from a private network for what only a public server can have', () => {
    const none = { result: 'none', domain: null };
    const found = { spf: none, dkim: { ...none, signatures: [] }, dmarc: { ...none, policy: null } };
    const rules = rulesOf({ authentication: found, isFromPrivateNetwork: true });
    expect(rules).toContain('info sender/spf');
    expect(rules.filter((rule) => /^(?:warning|error) sender/.test(rule))).toEqual([]);
  });

  it('weigh pictures that came with the message', () => {
    const picture = {
      id: '2',
      filename: 'a.png',
      contentType: 'image/png',
      contentId: 'a@x',
      disposition: 'inline',
    };
    const shown = page(`${body}<img src="cid:a@x" alt="A" width="100">`);
    expect(rulesOf({ attachments: [{ ...picture, size: 900_000 }], html: shown })).toContain(
      'warning pictures/heavy',
    );
    expect(rulesOf({ attachments: [{ ...picture, size: 9 }] })).toContain('info pictures/unused-part');
    expect(rulesOf({ attachments: [{ ...picture, size: 9 }], html: shown })).not.toContain(
      'info pictures/unused-part',
    );
  });
});

it('lists ten findings of a rule and counts all', () => {
  const report = createReport({
    ...good,
    html: page(body + '<a href="http://shop.example/a">Go</a>'.repeat(25)),
  });
  expect(report.findings.filter(({ rule }) => rule === 'links/http')).toHaveLength(10);
  expect(report.counts.warning).toBe(25);
  expect(report.omitted).toBe(15);
});

it('names mail programs that lack what the message uses', () => {
  const html = page(`<div style="display:grid">${body}</div>`);
  const { clients, findings } = createReport({ ...good, html });
  expect(clients.find(({ name }) => name === 'Outlook Windows')?.unsupported).toContain('css-display-grid');
  const [finding] = findings.filter(({ rule }) => rule === 'support/css-display-grid');
  expect(finding?.message).toMatch(/is not supported by .*Outlook Windows/);
  expect(finding?.advice).toContain('https://www.caniemail.com/features/css-display-grid/');
  expect(finding?.place.excerpt).toMatch(/^style="display:grid"/);
});
