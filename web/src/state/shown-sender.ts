// A sender as it is shown: nothing of it may look like another one. Pure. Names and addresses are the sender's words;
// which domain was checked is not decided here (trust.ts).

/** Letters of one script alone, of scripts that do not look like Latin; joiners and marks belong to the words. */
const plainLabels = [
  'a-z\\d\\u00df-\\u00f6\\u00f8-\\u0130\\u0132-\\u0137\\u0139-\\u0148\\u014a-\\u017e',
  '\\d\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\u3005',
  '\\d\\p{Script=Han}\\p{Script=Hangul}',
  ...['Arabic', 'Hebrew', 'Devanagari', 'Thai', 'Bengali', 'Tamil', 'Telugu', 'Gujarati', 'Georgian'].map(
    (script) => `\\d\\u200c\\u200d\\p{Script=${script}}\\p{Mn}`,
  ),
].map((letters) => new RegExp(`^[${letters}-]+$`, 'u'));
/** Letters that make a Cyrillic or a Greek word no Latin one. */
const cyrillicLabel = /^(?=.*[бгджзийлфцчшщъыьэюяєїў])[\d\p{Script=Cyrillic}-]+$/u;
const greekLabel = /^(?=.*[βγδεζθλξπςσφχψω])[\d\p{Script=Greek}-]+$/u;
const domainCharacters = /^[\p{L}\p{M}\p{N}_\u200c\u200d-]+(?:\.[\p{L}\p{M}\p{N}_\u200c\u200d-]+)*$/u;

/** In lower case and ASCII, as it is looked up; '' for what is none. */
export function toAsciiDomain(domain: string): string {
  const lower = domain.toLowerCase();
  // A URL ends its host at a slash and the like; none of them comes this far.
  if (!domainCharacters.test(lower)) return '';
  if (/^[\x20-\x7e]*$/.test(lower)) return lower;
  const url = `http://${lower}/`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}

export function domainOf(email: string): string {
  return toAsciiDomain(email.slice(email.lastIndexOf('@') + 1));
}

/** An address whose domain may be taken for another is shown with its `xn--` form. */
export function showAddress(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at).toLowerCase();
  if (domain === '' || domain.split('.').every(isPlainLabel)) return email;
  return email.slice(0, at) + (toAsciiDomain(domain) || domain);
}

function isPlainLabel(label: string): boolean {
  // What is no label at all is not made to look like one.
  if (/^[\x20-\x7e]*$/.test(label)) return true;
  return (
    plainLabels.some((plain) => plain.test(label)) || cyrillicLabel.test(label) || greekLabel.test(label)
  );
}

const invisible = /[\p{Cf}\u034f\u115f\u1160\u3164]/gu;
const addressInName = /[^\s@<>"'(),;:[\]]@([^\s@<>"'(),;:[\]]+\.[^\s@<>"'(),;:[\]]+)/gu;
/** Of a name, which may be long. */
const longestName = 1000;

/** Whether a name holds an address of another domain than the one that the message is from. */
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

/** In one line: the name, and the address too where the name would hide it; '' for none. */
export function showSender({ sender_name: name, sender_email: email }: Sender): string {
  if (name === '') return showAddress(email);
  return namesAnother(name, email) ? `${name} <${showAddress(email)}>` : name;
}
