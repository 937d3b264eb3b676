// Builds HTML with escaped texts.

/** Markup that may be inserted as it is. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = string | number | Html | readonly Html[];

/** Escapes every inserted text; inserts markup unchanged. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((page, string, index) => page + toMarkup(parts[index - 1] ?? '') + string));
}

/** Returns a script tag. A template of `html` with its end would be compiled to a call of a helper. */
export function moduleScript(src: string): Html {
  return new Html(`<script type="module" src="${escapeText(src)}"></script>`);
}

function toMarkup(part: Part): string {
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(({ markup }) => markup).join('');
  return escapeText(String(part));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (char) => entities[char] ?? '');
}

/** Converts text with `code` in backticks. */
export function prose(text: string): Html {
  const parts = text.split('`');
  return new Html(
    parts
      .map((part, index) => (index % 2 === 1 ? `<code>${escapeText(part)}</code>` : escapeText(part)))
      .join(''),
  );
}
