// Flags links whose address may not be what it looks like, in text and HTML. A pure function of address and text; it
// warns and never rewrites.

/**
 * `punycode`: the host holds characters beyond ASCII, which may look like others. `mismatch`: the text names another
 * host than the link's. `userinfo`: something precedes an `@` and may be taken for the host.
 */
export type LinkFlag = 'punycode' | 'mismatch' | 'userinfo';

/**
 * A word with one of these endings counts as a host even without scheme or `www.`: the domains that phishing imitates.
 */
const hostEndings = new Set(
  (
    'com net org edu gov mil int info biz io co ai app dev me tv bank shop store online site xyz cloud email uk de fr ' +
    'es it nl pl ru ua eu ch at be se no fi dk cz pt br mx ar cl in cn jp kr tw hk sg my id vn th ph au nz ca us za ' +
    'ng ke tr il ae sa ir gr hu ro bg ie'
  ).split(' '),
);
const textMax = 2_048;

/** `text` is the link's text. Only web pages are flagged. */
export function flagLink(url: string, text: string): LinkFlag[] {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return [];
  const { hostname, username, password } = new URL(url);
  const flags: LinkFlag[] = [];
  if (hostname.split('.').some((label) => label.startsWith('xn--'))) flags.push('punycode');
  const named = hostNamedBy(text);
  if (named !== undefined && !isSameSite(named, hostname)) flags.push('mismatch');
  if (username !== '' || password !== '') flags.push('userinfo');
  return flags;
}

/** Returns the host a person reads from a text that is a URL and nothing else. */
function hostNamedBy(text: string): string | undefined {
  const words = text
    .slice(0, textMax)
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
    .trim();
  const shown = /^(?:(https?):\/\/|(www)\.)?([^\s/?#@:]+\.[^\s/?#@:]+)(?::\d+)?(?:[/?#]\S*)?$/i.exec(words);
  if (!shown) return undefined;
  const [, scheme, www, host = ''] = shown;
  const url = `http://${host.replace(/\.$/, '')}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  const ending = hostname.slice(hostname.lastIndexOf('.') + 1);
  return scheme !== undefined || www !== undefined || hostEndings.has(ending) ? hostname : undefined;
}

/** A host within the other is no deceit: both belong to the owner of the parent. */
function isSameSite(one: string, other: string): boolean {
  const [a, b] = [one, other].map((host) =>
    host
      .toLowerCase()
      .replace(/^www\./, '')
      .replace(/\.$/, ''),
  );
  if (a === undefined || b === undefined) return false;
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}
