// What a request accepts, by its Accept and Accept-Encoding fields (RFC 9110 §12.5). Pure; untrusted input, linear time.

export type Coding = 'br' | 'gzip';

/** The first of `available` that is named with a weight above zero; undefined for the bytes as they are. */
export function chooseCoding(acceptEncoding: string, available: readonly Coding[]): Coding | undefined {
  const accepted = parseNames(acceptEncoding);
  return available.find((coding) => accepted.has(coding));
}

/** Whether the asker names HTML: browsers do when they open a page, programs do not. */
export function wantsHtml(accept: string): boolean {
  return parseNames(accept).has('text/html');
}

/** Names of a list with weights, lower case, those of weight zero left out. */
function parseNames(field: string): Set<string> {
  const names = new Set<string>();
  for (const entry of field.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const isRefused = parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter));
    if (name !== '' && !isRefused) names.add(name);
  }
  return names;
}
