// A part of the corpus of hostile HTML, and hostile names and subjects, opened in the page itself: none runs,
// navigates, opens a window or reaches another host. app-hostile.long.test.ts opens the whole corpus, and
// html-mail.long.test.ts in similar frames.
import { expect, it } from 'vitest';

import { readHtmlPayloads } from '../../packages/mail-reader/test/support/html-payloads.ts';
import { nothing, openHostileMails } from './open-hostile-mails.ts';

it('does nothing in the page, in any of its views', { timeout: 240_000 }, async () => {
  const payloads = readHtmlPayloads().filter(({ name }, i) => i % 24 === 0 || name.includes('takeover'));
  const outcome = await openHostileMails(payloads);
  expect(outcome).toMatchObject(nothing);
  expect(outcome.framed).toBeGreaterThan(0.9 * payloads.length);
});
