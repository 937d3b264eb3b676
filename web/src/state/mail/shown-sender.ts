// Shows a sender so that no part of it can pass for another one. Pure. Names and addresses are the sender's claims;
// trust.ts decides which domain was verified.

/** Labels in a single script that does not look like Latin; joiners and marks count as part of it. */
const plainLabels = [
  'a-z\\d\\u00df-\\u00f6\\u00f8-\\u0130\\u0132-\\u0137\\u0139-\\u0148\\u014a-\\u017e',
  '\\d\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\u3005',
  '\\d\\p{Script=Han}\\p{Script=Hangul}',
  ...['Arabic', 'Hebrew', 'Devanagari', 'Thai', 'Bengali', 'Tamil', 'Telugu', 'Gujarati', 'Georgian'].map(
    (script) => `\\d\\u200c\\u200d\\p{Script=${script}}\\p{Mn}`,
  ),
].map((letters) => new RegExp(`^[${letters}-]+$`, 'u'));
/** Letters that keep a Cyrillic or Greek word from looking Latin. */
const cyrillicLabel = /^(?=.*[бгджзийлфцчшщъыьэюяєїў])[\d\p{Script=Cyrillic}-]+$/u;
const greekLabel = /^(?=.*[βγδεζθλξπςσφχψω])[\d\p{Script=Greek}-]+$/u;
const domainCharacters = /^[\p{L}\p{M}\p{N}_\u200c\u200d-]+(?:\.[\p{L}\p{M}\p{N}_\u200c\u200d-]+)*$/u;

/** Returns the domain in lower case and ASCII, as it is looked up; '' if invalid. */
export function toAsciiDomain(domain: string): string {
  const lower = domain.toLowerCase();
  // A URL ends its host at characters such as a slash, which are refused here.
  if (!domainCharacters.test(lower)) return '';
  if (/^[\x20-\x7e]*$/.test(lower)) return lower;
  const url = `http://${lower}/`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}

export function domainOf(email: string): string {
  return toAsciiDomain(email.slice(email.lastIndexOf('@') + 1));
}

/** Shows the domain in its `xn--` form if it could pass for another. */
export function showAddress(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at).toLowerCase();
  if (domain === '' || domain.split('.').every(isPlainLabel)) return email;
  return email.slice(0, at) + (toAsciiDomain(domain) || domain);
}

function isPlainLabel(label: string): boolean {
  // An ASCII label is shown as it is, even an invalid one.
  if (/^[\x20-\x7e]*$/.test(label)) return true;
  return (
    plainLabels.some((plain) => plain.test(label)) || cyrillicLabel.test(label) || greekLabel.test(label)
  );
}

const invisible = /[\p{Cf}\u034f\u115f\u1160\u3164]/gu;
const addressInName = /[^\s@<>"'(),;:[\]]@([^\s@<>"'(),;:[\]]+\.[^\s@<>"'(),;:[\]]+)/gu;
/** Only this many characters of a name are searched. */
const longestName = 1000;

/** Reports whether a name contains an address of a domain other than the message's own. */
export function namesAnother(name: string, email: string): boolean {
  if (email === '') return false;
  const domain = domainOf(email);
  const plain = name.slice(0, longestName).normalize('NFKC').replace(invisible, '');
  for (const [, found = ''] of plain.matchAll(addressInName)) {
    const named = toAsciiDomain(found.replace(/(?<![.!?])[.!?]+$/, ''));
    if (named === '' || !(isWithin(named, domain) || isWithin(domain, named))) return true;
  }
  return false;
}

function isWithin(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}

export interface Sender {
  readonly sender_name: string;
  readonly sender_email: string;
}

/** Returns one line: the name, with the address if the name could mislead; '' for neither. */
export function showSender({ sender_name: name, sender_email: email }: Sender): string {
  if (name === '') return showAddress(email);
  return namesAnother(name, email) ? `${name} <${showAddress(email)}>` : name;
}
