// Turns the short Markdown of caniemail's data into HTML, as Mailpit shows it: code, links, emphasis, and quotation marks
// and fractions set as a typesetter would. The data is part of the build, so nothing here is untrusted.

const inline =
  /`([^`]{0,300})`|\[((?:[^\][]|\[[^\]]{0,99}\]){0,300})\]\(([^()\s]{0,500})\)|\*\*([^*]{1,300})\*\*|<\/?[a-z][^<>]{0,300}>|\b(\d{1,9})\/(\d{1,9})\b(?!\/)|[&<>"']|-{2,3}|\.{3}/g;

export function markdownToHtml(text: string): string {
  return text.trim().replaceAll(inline, (...match: (string | undefined)[]) => render(text.trim(), match));
}

function render(whole: string, match: readonly (string | number | undefined)[]): string {
  const [found, code, label, address, strong] = match.map((one) =>
    one === undefined ? undefined : String(one),
  );
  const at = match.findLast((one) => typeof one === 'number') ?? 0;
  if (code !== undefined) return `<code>${escape(code)}</code>`;
  if (label !== undefined) {
    return `<a href="${address ?? ''}"${address?.startsWith('/') === true ? '' : ' target="_blank"'}>${markdownToHtml(label)}</a>`;
  }
  if (strong !== undefined) return `<strong>${markdownToHtml(strong)}</strong>`;
  if (found === undefined) return '';
  if (/^<\/?[a-z]/.test(found)) return found;
  return typeset(found, whole, Number(at));
}

function typeset(found: string, whole: string, at: number): string {
  const opens = /^(?:|[\s([{-])$/.test(whole.slice(Math.max(0, at - 1), at));
  if (found === '"') return opens ? '&ldquo;' : '&rdquo;';
  if (found === "'") return opens ? '&lsquo;' : '&rsquo;';
  if (found === '---') return '&mdash;';
  if (found === '--') return '&ndash;';
  if (found === '...') return '&hellip;';
  const fraction = /^(\d+)\/(\d+)$/.exec(found);
  if (fraction !== null) return `<sup>${fraction[1] ?? ''}</sup>&frasl;<sub>${fraction[2] ?? ''}</sub>`;
  return escape(found);
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
