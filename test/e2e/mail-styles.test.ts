// Small mails, each with a construct of the sender's that must reach the reader: test/fixtures/styles.
import { readFile } from 'node:fs/promises';
import { createTransport } from 'nodemailer';
import { expect, it } from 'vitest';

import { comeAgain } from '../support/faults/come-again.ts';
import { useApp } from '../support/page/app-fixture.ts';

const app = useApp();

const styleOf = (selector: string, property: string): string =>
  `getComputedStyle(document.querySelector('${selector}')).${property}`;

/** Each file with an expression, evaluated in its framed document, and the value. */
const cases: readonly (readonly [file: string, expression: string, value: unknown])[] = [
  ['anchor-id', `document.getElementById(document.querySelector('a').hash.slice(1)).textContent`, '2'],
  ['bg-shorthand-class', styleOf('.hero', 'backgroundColor'), 'rgb(26, 43, 60)'],
  ['bg-shorthand-inline', styleOf('td', 'backgroundColor'), 'rgb(34, 34, 34)'],
  ['css-body-child', styleOf('table', 'width'), '300px'],
  ['css-body-class', styleOf('td', 'width'), '300px'],
  [
    'css-body-margin-colour',
    'getComputedStyle(document.elementFromPoint(300, 700)).backgroundColor',
    'rgb(17, 34, 51)',
  ],
  ['css-id-attribute-selector', styleOf('td', 'width'), '300px'],
  ['css-media-range', styleOf('td', 'width'), '300px'],
  ['css-supports', styleOf('td', 'width'), '300px'],
  ['css-var', styleOf('p', 'color'), 'rgb(192, 0, 0)'],
  ['inline-image-css-cid', styleOf('td', 'backgroundColor'), 'rgb(34, 34, 34)'],
  ['inline-image-css-cid', `/^url\\(".*\\/inline-image\\?/.test(${styleOf('td', 'backgroundImage')})`, true],
  ['list-style-shorthand-url', styleOf('ul', 'listStyle'), 'inside none square'],
  ['sliced-images', `document.querySelector('table').offsetHeight`, 60],
];

it.each(cases)('shows %s as its sender meant it', async (file, expression, value) => {
  const { token, email } = await app.service.process().lend();
  const raw = await readFile(new URL(`../fixtures/styles/${file}.eml`, import.meta.url));
  const transport = createTransport({ host: '127.0.0.1', port: app.service.smtpPort, ignoreTLS: true });
  await comeAgain(() => transport.sendMail({ envelope: { from: 'ann@sender.test', to: email }, raw }));
  transport.close();
  const answer = await app.service.process().call('/read-mail?id=1', token);
  const { message } = (await answer.json()) as { message: { html_url: string } };
  const page = await app.browser.newPage({ viewport: { width: 700, height: 800 } });
  await page.goto(app.service.origin + message.html_url);
  expect(await page.evaluate(expression)).toEqual(value);
  await page.close();
});
