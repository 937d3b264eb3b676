// Judges the host of a link by its name alone.

interface LinkHost {
  /** In lower case and ASCII. */
  readonly name: string;
  readonly hasUser: boolean;
  readonly isNumber: boolean;
}

const number = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/;
/** RFC 6761, RFC 6762, RFC 8375, and what private networks use. */
const localNames = /(?:^|\.)(?:localhost|test|invalid|local|internal|lan|home\.arpa|corp|intranet)$/;
const localNumbers =
  /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|0\.)|^\[(?:::1\]|f[cd][0-9a-f]{2}:|fe80:)/;
const shorteners = new Set(
  (
    'bit.ly bitly.com tinyurl.com goo.gl t.co ow.ly is.gd buff.ly rebrand.ly cutt.ly rb.gy shorturl.at tiny.cc v.gd ' +
    't.ly bl.ink s.id lnkd.in'
  ).split(' '),
);

/** Returns undefined for an address without a host that could exist. */
export function readHost(address: string): LinkHost | undefined {
  if (!URL.canParse(address)) return undefined;
  const { hostname, username, password } = new URL(address);
  const name = hostname.replace(/\.$/, '');
  const isNumber = number.test(name);
  const labels = name.split('.');
  if (name === '' || (!isNumber && labels.some((label) => label === '' || label.length > 63))) {
    return undefined;
  }
  return { name, hasUser: username !== '' || password !== '', isNumber };
}

/** Reports whether only the reader's own machine or network could know it. */
export function isLocalHost(name: string): boolean {
  return localNames.test(name) || localNumbers.test(name) || !/[.:]/.test(name);
}

export function isShortener(name: string): boolean {
  return shorteners.has(name.replace(/^www\./, ''));
}
