// Reads the address of a link, a form or an area from its attribute, for the list of links and for the sanitiser. Hosts
// stay as the sender wrote them, because a person judges a link by its host.

import { dropUnread } from '../text/html-to-text.ts';
import { readAttribute, readTag } from './html-tags.ts';

/** Addresses that run, show or name something within the browser or the message itself, and programs' own notes. */
const innerSchemes: ReadonlySet<string> = new Set(
  (
    'about blob chrome cid data file filesystem jar javascript livescript mid mocha moz-extension res resource ' +
    'vbscript view-source wyciwyg x-apple-data-detectors'
  ).split(' '),
);
const schemeOf = /^([a-z][a-z\d+.-]+):/i;
const clickableSchemes = /^(?:https?:\/\/|mailto:|tel:|sms:)/i;
const baseSearchChars = 64 * 1024;
const basesMax = 8;
/** One `//` before a host that is not empty. */
const hostOnly = /^[/\\]{2}(?=[^/\\\s?#])/;

/**
 * Returns the absolute address as written, without the white space browsers ignore; undefined if it leads nowhere
 * outside the message. `base` comes from `findBase`.
 */
export function toAddress(href: string, base?: string): string | undefined {
  const text = href.replace(/[\t\n\r]/g, '').trim();
  if (hostOnly.test(text)) return check(text.replace(hostOnly, 'https://'));
  if (schemeOf.test(text)) return check(text);
  return base === undefined || text === '' || text.startsWith('#') ? undefined : resolve(text, base);
}

/** Reports whether a person can open the address by clicking on it; apps' own schemes are only listed. */
export function isClickable(url: string): boolean {
  return clickableSchemes.test(url) && check(url) !== undefined;
}

/** Returns the address to which relative ones in the document relate: that of its first base element with one. */
export function findBase(html: string): string | undefined {
  const lead = dropUnread(html.slice(0, baseSearchChars));
  const starts = /<base(?=[\s/])/gi;
  for (let tries = 0; tries < basesMax && starts.test(lead); tries++) {
    const href = readAttribute(readTag(lead, starts.lastIndex - '<base'.length)?.attributes ?? '', 'href');
    const base = href === undefined ? undefined : toAddress(href);
    if (base !== undefined) return /^https?:/i.test(base) ? base : undefined;
  }
  return undefined;
}

function check(url: string): string | undefined {
  const scheme = schemeOf.exec(url)?.[1]?.toLowerCase() ?? '';
  if (innerSchemes.has(scheme) || !URL.canParse(url)) return undefined;
  if (/^https?$/.test(scheme)) return /^https?:\/\/[^/\s?#]/i.test(url) ? url : undefined;
  const isSpaced = /\s/.test(url) && !clickableSchemes.test(url);
  return url.length > scheme.length + 1 && !isSpaced ? url : undefined;
}

function resolve(text: string, base: string): string | undefined {
  if (!URL.canParse(text, base)) return undefined;
  const { protocol, pathname, search, hash } = new URL(text, base);
  const host = /^https?:\/\/[^/\\?#\s]*/i.exec(base)?.[0];
  return host === undefined || !/^https?:$/.test(protocol) ? undefined : host + pathname + search + hash;
}
