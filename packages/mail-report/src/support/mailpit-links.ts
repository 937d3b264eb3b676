// The links of a message as Mailpit's link check lists them, without fetching any: only those that can lead nowhere are
// errors.
import type { HtmlDocument } from '../document/html-document.ts';

export interface MailpitLinkCheck {
  readonly Errors: number;
  readonly Links: readonly { readonly URL: string; readonly StatusCode: number; readonly Status: string }[];
}

const linksMax = 100;
const web = /\bhttps?:\/\/[\w@:%+'!.~#?,&/=;-]/i;
/** Not behind `<`, which the next expression reads. */
const plain = /(?:^|(?<=[^<]\b))https?:\/\/[\w@:%+'!.~#?,&/=;-]+/gi;
const bracketed = /<(https?:\/\/[\w@:%+'!.~#?,&/=;-][^>]{1,8192})>/gi;

export function listMailpitLinks(document: HtmlDocument | undefined, text: string): MailpitLinkCheck {
  const found = new Set<string>();
  const add = (link: string): void => {
    if (found.size < linksMax) found.add(link);
  };
  const elements = document?.elements ?? [];
  const read = (
    name: string,
    attribute: string,
    isWanted = (_: ReadonlyMap<string, string>) => true,
  ): void => {
    for (const one of elements) {
      const link = one.name === name && isWanted(one.attributes) ? one.attributes.get(attribute) : undefined;
      if (link !== undefined && web.test(link)) add(link);
    }
  };
  read('a', 'href');
  read('link', 'href', (attributes) => attributes.get('rel') === 'stylesheet');
  read('img', 'src');
  for (const [link] of text.matchAll(plain)) add(link);
  for (const [, link = ''] of text.matchAll(bracketed)) add(link.replaceAll('\n', ''));
  const links = [...found].map((link) =>
    isWhole(link)
      ? { URL: link, StatusCode: 0, Status: 'not fetched' }
      : { URL: link, StatusCode: 0, Status: `invalid URL: ${link}` },
  );
  return { Errors: links.filter(({ Status }) => Status !== 'not fetched').length, Links: links };
}

function isWhole(link: string): boolean {
  return URL.canParse(link) && new URL(link).hostname !== '';
}
