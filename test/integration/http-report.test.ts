// GET /report, and Mailpit's checks, which answer from the same package.

import { describe, expect, it } from 'vitest';

import { ask, type HttpAnswer, startHttp } from './http-harness.ts';
import { openMailpit } from './mailpit-client.ts';

const html = [
  '<!doctype html>',
  '<html lang="en"><head><title>x</title></head><body>',
  '  <p>Hello {{name}}, <a href="http://evil.example/x">www.bank.example</a></p>',
  '  <script>1</script>',
  '</body></html>',
].join('\r\n');
const raw = [
  'From: Shop <hello@shop.example>',
  'Subject: Welcome',
  'MIME-Version: 1.0',
  'Content-Type: text/html; charset=utf-8',
  '',
  html,
  '',
].join('\r\n');

async function start() {
  const harness = await startHttp();
  const { token, session } = await harness.lend('quiet-fox');
  await harness.deliver(raw, [session]);
  const get = (target: string, bearer = token): Promise<HttpAnswer> =>
    ask(harness, target, { headers: { authorization: `Bearer ${bearer}` } });
  return { harness, get, session };
}

describe('the report', () => {
  it('names rule, severity, place and what to do, and leaves the message unread', async () => {
    const { get } = await start();
    const { status, json } = await get('/report?id=1');
    expect([status, json.status]).toEqual([200, 'success']);
    const { report } = json;
    expect(report).toMatchObject({
      id: 1,
      worst: 'error',
      has_text: false,
      links: 1,
      lang: 'en',
      omitted: 0,
    });
    expect(report.errors).toBe(
      report.findings.filter(({ severity }: { severity: string }) => severity === 'error').length,
    );
    expect(report.findings).toContainEqual({
      rule: 'links/misleading',
      severity: 'error',
      message: 'The text names www.bank.example, but the link leads to evil.example.',
      advice: expect.stringContaining('phishing') as string,
      part: 'html',
      name: null,
      line: 3,
      column: 25,
      excerpt: expect.stringContaining('href="http://evil.example/x">www.bank.example</a>') as string,
    });
    const rules = report.findings.map(({ rule }: { rule: string }) => rule);
    expect(rules).toEqual(
      expect.arrayContaining([
        'leftover/placeholder',
        'support/html-script',
        'links/http',
        'text/missing',
        'header/date',
      ]),
    );
    expect((await get('/check-mail')).json.messages[0].is_read).toBe(false);
    expect(JSON.stringify(json)).not.toMatch(/spam|score/i);
  });

  it('is for the session’s own messages', async () => {
    const { harness, get } = await start();
    expect(await get('/report?id=2')).toMatchObject({ status: 404, json: { code: 'message_not_found' } });
    expect(await get('/report')).toMatchObject({ status: 400 });
    const other = await harness.lend('other-fox');
    expect(await get('/report?id=1', other.token)).toMatchObject({ status: 404 });
    expect(await ask(harness, '/report?id=1')).toMatchObject({ status: 401 });
  });
});

it('answers as Mailpit’s HTML check and link check', async () => {
  const { get, deliver } = await openMailpit();
  await deliver(raw);
  const check = (await get('/api/v1/message/latest/html-check')).json;
  expect(check.Total).toMatchObject({ Nodes: 5 });
  expect(check.Warnings.map(({ Slug }: { Slug: string }) => Slug)).toEqual(['html-script', 'html-body']);
  expect((await get('/api/v1/message/latest/link-check')).json).toEqual({
    Errors: 0,
    Links: [{ URL: 'http://evil.example/x', StatusCode: 0, Status: 'not fetched' }],
  });
  await deliver('Subject: plain\r\n\r\nHello\r\n');
  expect(await get('/api/v1/message/latest/html-check')).toMatchObject({
    status: 400,
    text: 'message does not contain HTML',
  });
});
