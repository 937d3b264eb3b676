// Reads how to leave a mailing list (RFC 2369 §3.2, RFC 8058), for read-mail to show. Nothing ever follows the links:
// a request would tell the sender that the message was read.
import type { ParsedHeader } from '../message/parse-message.ts';

export interface Unsubscribe {
  /** http or https; untrusted. */
  readonly url: string | null;
  /** A mailto: address; untrusted. */
  readonly mailto: string | null;
  /** Whether a single POST to `url` unsubscribes (RFC 8058). */
  readonly oneClick: boolean;
}

const urlMaxChars = 4_096;
const urlsMax = 20;

/** Returns the first link of each kind. */
export function readUnsubscribe(headers: readonly ParsedHeader[]): Unsubscribe {
  const first = (name: string): string =>
    headers.find((header) => header.name.toLowerCase() === name)?.value ?? '';
  const urls = first('list-unsubscribe')
    .split('<', urlsMax + 1)
    .slice(1)
    .flatMap(toUrl);
  const url = urls.find((one) => /^https?:/i.test(one)) ?? null;
  const oneClick = /^\s*list-unsubscribe\s*=\s*one-click\s*$/i.test(first('list-unsubscribe-post'));
  return {
    url,
    mailto: urls.find((one) => /^mailto:/i.test(one)) ?? null,
    oneClick: oneClick && url !== null && /^https:/i.test(url),
  };
}

/** The text before the closing bracket; folding may have inserted white space. */
function toUrl(text: string): string[] {
  const end = text.indexOf('>');
  const url = end < 0 ? '' : text.slice(0, end).replace(/\s+/g, '');
  return url.length <= urlMaxChars && URL.canParse(url) ? [url] : [];
}
