// Which hosts belong together. Without the Public Suffix List: the last two labels, or three where the last two are
// those of a registry, such as `co.uk`. Good enough to tell one's own hosts from others.

const registries = new Set([
  'ac',
  'co',
  'com',
  'edu',
  'gov',
  'ltd',
  'me',
  'net',
  'nom',
  'or',
  'org',
  'plc',
  'sch',
]);

export function siteOf(host: string): string {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.');
  const isRegistry = labels.length > 2 && labels.at(-1)?.length === 2 && registries.has(labels.at(-2) ?? '');
  return labels.slice(isRegistry ? -3 : -2).join('.');
}

export function isSameSite(one: string, other: string): boolean {
  return siteOf(one) === siteOf(other);
}

/** The domain of an address, in lower case; '' for none. */
export function domainOf(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 0
    ? ''
    : email
        .slice(at + 1)
        .toLowerCase()
        .replace(/\.$/, '');
}
