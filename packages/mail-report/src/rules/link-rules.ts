// Rules about links. Nothing is fetched: a request would tell the sender that someone reads the message, and could change
// something at the other end.

import type { HtmlElement } from '../document/html-document.ts';
import { readElementText } from '../document/visible-text.ts';
import type { Rated } from '../findings.ts';
import { isLocalHost, isShortener, readHost } from './link-hosts.ts';
import { domainOf, isSameSite, siteOf } from './site-of-host.ts';
import { type HtmlSubject, placeOf } from './subject-of-rules.ts';

const rules = {
  http: {
    rule: 'links/http',
    severity: 'warning',
    advice: 'Link by https: mail programs and proxies warn of http, and others can read it.',
  },
  invalid: {
    rule: 'links/invalid',
    severity: 'error',
    advice: 'Write a whole address that begins with https://; mail has no address of its own to complete it.',
  },
  unsafe: {
    rule: 'links/unsafe-scheme',
    severity: 'error',
    advice: 'Link to a page: no mail program follows addresses of this kind.',
  },
  empty: {
    rule: 'links/empty',
    severity: 'warning',
    advice: 'Give the link an address, or make it plain text.',
  },
  fragment: {
    rule: 'links/dead-fragment',
    severity: 'error',
    advice: 'Give the element an id of that name, or link to the page.',
  },
  misleading: {
    rule: 'links/misleading',
    severity: 'error',
    advice: 'Let the text name the host that the link leads to, or no host: filters take this for phishing.',
  },
  local: {
    rule: 'links/local',
    severity: 'info',
    advice: 'Check that the address comes from a setting that production has.',
  },
  number: { rule: 'links/ip-address', severity: 'warning', advice: 'Link by a name.' },
  user: {
    rule: 'links/user-name',
    severity: 'error',
    advice: 'Remove what stands before the @: it hides where the link leads.',
  },
  shortener: {
    rule: 'links/shortener',
    severity: 'warning',
    advice: 'Link to the page itself: filters distrust shortened addresses.',
  },
  noText: {
    rule: 'links/no-text',
    severity: 'warning',
    advice: 'Give the link a text, or its picture a description.',
  },
  foreign: {
    rule: 'links/other-sites',
    severity: 'info',
    advice: 'Link by a host of the From domain where you can, for tracking too.',
  },
  mixed: {
    rule: 'links/mixed-hosts',
    severity: 'warning',
    advice: 'Lead links through fewer hosts, best through those of the From domain.',
  },
} as const satisfies Readonly<Record<string, Rated>>;

const manySites = 5;
const fineSchemes = new Set(['mailto:', 'tel:', 'sms:', 'webcal:', 'geo:', 'cid:', 'xmpp:', 'whatsapp:']);
const unsafeSchemes = new Set([
  'javascript:',
  'vbscript:',
  'data:',
  'file:',
  'blob:',
  'about:',
  'view-source:',
]);
/** A host as a text shows it: the whole text is one, perhaps with a path. */
const shownHost = /^(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})(?:[/?#:]\S*)?$/i;

export function checkLinks(subject: HtmlSubject): void {
  const { elements } = subject.document;
  const hasBase = elements.some(({ name, attributes }) => name === 'base' && attributes.has('href'));
  const targets = new Set(
    elements.flatMap(({ attributes }) => [attributes.get('id') ?? [], attributes.get('name') ?? []].flat()),
  );
  const hosts = new Map<string, HtmlElement>();
  for (const element of elements) {
    if (element.name !== 'a' && element.name !== 'area') continue;
    const href = element.attributes.get('href')?.trim();
    if (href === undefined) continue;
    const link: Link = { ...subject, element, href };
    if (href.startsWith('#')) checkFragment(link, targets);
    else if (href === '') report(link, 'empty', 'The link has no address.');
    else if (!isPlaceholder(href)) checkAddress(link, { hasBase, hosts });
    if (element.name === 'a' && readElementText(element) === '') {
      report(link, 'noText', `The link to ${shorten(href)} has no text.`);
    }
  }
  checkHosts(subject, hosts);
}

interface Link extends HtmlSubject {
  readonly element: HtmlElement;
  readonly href: string;
}

function report(link: Link, rule: keyof typeof rules, message: string): void {
  link.findings.add(rules[rule], message, placeOf(link, link.element, 'href'));
}

function shorten(href: string): string {
  return href.length <= 80 ? href : `${href.slice(0, 79)}…`;
}

/** Left over from a template, which leftover-rules report. */
function isPlaceholder(href: string): boolean {
  return /^(?:\{\{|\{%|<%|\$\{|\*\||\[\[|%%)/.test(href);
}

function checkFragment(link: Link, targets: ReadonlySet<string>): void {
  const name = link.href.slice(1);
  if (name === '') report(link, 'empty', 'The link leads to `#`, which is nowhere.');
  else if (!targets.has(name) && !targets.has(decode(name)) && name.toLowerCase() !== 'top') {
    report(link, 'fragment', `The link leads to ${shorten(link.href)}, and nothing has that name.`);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface Known {
  readonly hasBase: boolean;
  readonly hosts: Map<string, HtmlElement>;
}

function checkAddress(link: Link, { hasBase, hosts }: Known): void {
  const { href, element } = link;
  const scheme = /^([a-z][a-z0-9+.-]*:)/i.exec(href)?.[1]?.toLowerCase();
  if (scheme !== undefined && unsafeSchemes.has(scheme)) {
    report(link, 'unsafe', `The link is of the kind ${scheme}`);
    return;
  }
  if (scheme === undefined) {
    if (!hasBase) report(link, 'invalid', `The link to ${shorten(href)} is relative.`);
    return;
  }
  if (scheme !== 'http:' && scheme !== 'https:') {
    if (!fineSchemes.has(scheme) && !URL.canParse(href)) {
      report(link, 'invalid', `${shorten(href)} is no address.`);
    }
    return;
  }
  const host = readHost(href);
  if (host === undefined) {
    report(link, 'invalid', `${shorten(href)} is no address that leads anywhere.`);
    return;
  }
  hosts.set(host.name, hosts.get(host.name) ?? element);
  const isLocal = isLocalHost(host.name);
  if (host.hasUser) report(link, 'user', `The link to ${host.name} has a user name before its host.`);
  if (isLocal) report(link, 'local', `The link leads to ${host.name}, which only your own network knows.`);
  else if (host.isNumber) report(link, 'number', `The link leads to the number ${host.name}.`);
  if (scheme === 'http:' && !isLocal) report(link, 'http', `The link to ${host.name} is not encrypted.`);
  if (isShortener(host.name)) report(link, 'shortener', `The link leads through ${host.name}.`);
  const shown = shownHost.exec(readElementText(element))?.[1];
  if (shown !== undefined && !isSameSite(shown, host.name)) {
    report(link, 'misleading', `The text names ${shown.toLowerCase()}, but the link leads to ${host.name}.`);
  }
}

function checkHosts(subject: HtmlSubject, hosts: ReadonlyMap<string, HtmlElement>): void {
  const own = siteOf(domainOf(subject.input.from?.email ?? ''));
  const others = new Map<string, HtmlElement>();
  for (const [host, element] of hosts) {
    const site = siteOf(host);
    if (site !== own && !isLocalHost(host) && !others.has(site)) others.set(site, element);
  }
  const [first] = others.values();
  if (first === undefined) return;
  const names = [...others.keys()].slice(0, 8).join(', ');
  if (others.size >= manySites) {
    subject.findings.add(
      rules.mixed,
      `Links lead to ${others.size} sites that are not the sender’s: ${names}.`,
      placeOf(subject, first, 'href'),
    );
  } else {
    subject.findings.add(
      rules.foreign,
      `Links lead to sites that are not the sender’s: ${names}.`,
      placeOf(subject, first, 'href'),
    );
  }
}
