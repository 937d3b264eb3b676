// The whole corpus of hostile HTML opened in the page itself.
import { expect, it } from 'vitest';

import { readHtmlPayloads } from '../../packages/mail-reader/test/support/html-payloads.ts';
import { nothing, openHostileMails } from './open-hostile-mails.ts';

it('does nothing in the page, however it is written', async () => {
  const payloads = readHtmlPayloads();
  const outcome = await openHostileMails(payloads);
  expect(payloads.length).toBeGreaterThan(600);
  expect(outcome).toMatchObject(nothing);
  expect(outcome.framed).toBeGreaterThan(0.9 * payloads.length);
});
