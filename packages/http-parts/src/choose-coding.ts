// Evaluates the Accept and Accept-Encoding fields of a request (RFC 9110 §12.5). Pure; untrusted input, linear time.

export type Coding = 'br' | 'gzip';

/** Returns the first of `available` named with a weight above zero; undefined for the identity coding. */
export function chooseCoding(acceptEncoding: string, available: readonly Coding[]): Coding | undefined {
  const accepted = parseNames(acceptEncoding);
  return available.find((coding) => accepted.has(coding));
}

/** Reports whether HTML is named: browsers do so when they open a page, programs do not. */
export function wantsHtml(accept: string): boolean {
  return parseNames(accept).has('text/html');
}

/** Returns the names of a weighted list in lower case, without those of weight zero. */
function parseNames(field: string): Set<string> {
  const names = new Set<string>();
  for (const entry of field.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const isRefused = parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter));
    if (name !== '' && !isRefused) names.add(name);
  }
  return names;
}
