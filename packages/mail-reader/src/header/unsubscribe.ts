// How to leave a mailing list, as its header says (RFC 2369 §3.2, RFC 8058). Called for read-mail, which shows it; nothing
// here or elsewhere follows it: to fetch it would tell the sender that somebody reads.
import type { ParsedHeader } from '../message/parse-message.ts';

export interface Unsubscribe {
  /** http or https; untrusted. */
  readonly url: string | null;
  /** A mailto: address; untrusted. */
  readonly mailto: string | null;
  /** Whether the sender takes a POST to `url` as the whole of it (RFC 8058). */
  readonly oneClick: boolean;
}

const maxUrlChars = 4_096;
const maxUrls = 20;

/** Of several of a kind the first counts. */
export function readUnsubscribe(headers: readonly ParsedHeader[]): Unsubscribe {
  const first = (name: string): string =>
    headers.find((header) => header.name.toLowerCase() === name)?.value ?? '';
  const urls = first('list-unsubscribe')
    .split('<', maxUrls + 1)
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

/** What stands before the closing bracket; folding may have put blanks into it. */
function toUrl(text: string): string[] {
  const end = text.indexOf('>');
  const url = end < 0 ? '' : text.slice(0, end).replace(/\s+/g, '');
  return url.length <= maxUrlChars && URL.canParse(url) ? [url] : [];
}
