// Converts format=flowed text to its original lines (RFC 3676 §4), for text/plain bodies that declare it. One pass;
// other text comes out unchanged.

/** Joins soft-broken lines. With `delSp` the space that marks a soft break is removed too (§4.3). */
export function joinFlowed(text: string, delSp: boolean): string {
  const out: string[] = [];
  let paragraph: string[] = [];
  let paragraphDepth = 0;
  const finish = (): void => {
    if (paragraph.length > 0) out.push(quote(paragraphDepth) + paragraph.join(''));
    paragraph = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const depth = countQuotes(line);
    let content = line.slice(depth);
    // §4.4: lines that begin like a quote, a space or From are stuffed with one space.
    if (content.startsWith(' ')) content = content.slice(1);
    // §4.3: the signature separator ends in a space but is a fixed line.
    const isSoft = content.endsWith(' ') && content !== '-- ';
    if (depth !== paragraphDepth || content === '-- ') finish();
    paragraphDepth = depth;
    paragraph.push(isSoft && delSp ? content.slice(0, -1) : content);
    if (!isSoft) finish();
  }
  finish();
  return out.join('\n');
}

function countQuotes(line: string): number {
  let depth = 0;
  while (line.charAt(depth) === '>') depth++;
  return depth;
}

function quote(depth: number): string {
  return depth === 0 ? '' : `${'>'.repeat(depth)} `;
}
