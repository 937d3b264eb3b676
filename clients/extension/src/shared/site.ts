// Which hosts belong to one site, and the label of a site in its addresses. Without the public suffix list, which is
// larger than the extension: a doubt makes two sites of one, never one of two owners' that a list here names.

/** Second levels under which countries register names: `co.uk`, `com.br`. */
const registries = new Set(
  'ac co com edu go gob gouv gov gr id info lg ltd me mil ne net nhs nic nom or org plc sch web'.split(' '),
);

/** Domains under which anybody gets a name. */
const shared = new Set(
  (
    'appspot.com amplifyapp.com amazonaws.com azure.com azurewebsites.net azurestaticapps.net blogspot.com br.com ' +
    'bubbleapps.io de.com elasticbeanstalk.com eu.com on.aws  translate.goog uk.com us.com ' +
    'cloudfront.net codeberg.page deno.dev duckdns.org edgeone.app firebaseapp.com fly.dev framer.app framer.website ' +
    'github.dev github.io gitlab.io glitch.me gitpod.io herokuapp.com hf.space lovable.app myshopify.com netlify.app ' +
    'ngrok.app ngrok.io ngrok-free.app notion.site onrender.com pages.dev pythonanywhere.com railway.app r2.dev ' +
    'replit.app replit.dev run.app sharepoint.com stackblitz.io streamlit.app surge.sh trycloudflare.com ts.net ' +
    'vercel.app web.app webflow.io weebly.com wixsite.com wordpress.com workers.dev zendesk.com'
  ).split(' '),
);

/** Returns the site of a page: its registered domain, or host and port on the own machine; undefined for other pages. */
export function siteOf(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { protocol, hostname, host } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const name = hostname.replace(/\.$/, '').replace(/^www\./, '');
  if (isAddress(name) || !name.includes('.') || isLoopback(name)) return host;
  const labels = name.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  if (shared.has(`${second}.${top}`)) return name;
  const isRegistry = top.length === 2 && (second.length === 2 || registries.has(second));
  return labels.slice(isRegistry ? -3 : -2).join('.');
}

export function isSameSite(one: string | undefined, other: string | undefined): boolean {
  const site = siteOf(one);
  return site !== undefined && site === siteOf(other);
}

/** In the key of a page without encryption. */
export const plain = 'http://';

/**
 * Names the address of a page. Private windows have their own. So have pages without encryption, which anybody on the
 * way may have written: what came for the site itself is not for them.
 */
export function keyOf(url: string, isPrivate: boolean): string {
  const isPlain = url.startsWith('http:') && !isLoopback(new URL(url).hostname);
  return `${isPrivate ? 'private ' : ''}${isPlain ? plain : ''}${siteOf(url) ?? ''}`;
}

/** Reports whether mail from an address's domain comes from the site itself. */
export function isDomainOfSite(domain: string, site: string): boolean {
  return siteOf(`https://${domain}`) === site;
}

/** `127.0.0.1`, `localhost`, `[::1]` and their like, which no other machine answers for. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(hostname);
}

const labelMax = 20;

/** Returns what stands for the site in an address: `github` for `github.com`; empty if nothing fits. */
export function labelOf(site: string): string {
  const hostname = site.replace(/:\d+$/, '');
  if (isAddress(hostname)) return '';
  const [label = ''] = hostname.split('.');
  if (label.startsWith('xn--')) return '';
  const plain = label.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return plain.slice(0, labelMax).replace(/^-+|-+$/g, '');
}

/** Digits and letters that are not mistaken for one another: five bits each. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const randomLength = 10;

/**
 * Returns a local part with the site's label and 50 random bits: no stranger can guess it, and send
 * codes of their own there.
 */
export function makePrefix(site: string): string {
  const random = [...crypto.getRandomValues(new Uint8Array(randomLength))].map((byte) => alphabet[byte % 32]);
  const label = labelOf(site);
  return label === '' ? random.join('') : `${label}.${random.join('')}`;
}
