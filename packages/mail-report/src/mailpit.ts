// Entry point: the checks of a message in Mailpit's own form, for programs that ask Mailpit.

import { ExcessiveHtmlError, readHtmlDocument } from './document/html-document.ts';
import { htmlMaxChars } from './report.ts';
import { listMailpitLinks, type MailpitLinkCheck } from './support/mailpit-links.ts';
import { type MailpitHtmlCheck, toMailpitCheck } from './support/mailpit-check.ts';

/** Undefined for HTML that is too large, or nested too deep, to be checked. */
export function checkHtmlForMailpit(html: string): MailpitHtmlCheck | undefined {
  return within(html, () => toMailpitCheck(readHtmlDocument(html)));
}

/** Fetches nothing. */
export function checkLinksForMailpit(bodies: {
  readonly html: string | null;
  readonly text: string;
}): MailpitLinkCheck {
  const html = bodies.html ?? '';
  const document = within(html, () => readHtmlDocument(html));
  return listMailpitLinks(document, bodies.text);
}

function within<T>(html: string, read: () => T): T | undefined {
  if (html.length > htmlMaxChars) return undefined;
  try {
    return read();
  } catch (error) {
    if (error instanceof ExcessiveHtmlError) return undefined;
    throw error;
  }
}
