// The texts in the browser's language, from _locales.

let lines: readonly string[] | undefined;

/** The build puts a text's line for its name. `value` goes where the text has room for one. */
export function text(name: string, value = ''): string {
  lines ??= chrome.i18n.getMessage('texts').split('\n');
  // Between marks that keep it apart from text of the other direction.
  return (lines[Number(name)] ?? '').replace('\t', () => `\u2068${value}\u2069`);
}

export function direction(): 'ltr' | 'rtl' {
  return chrome.i18n.getMessage('@@bidi_dir') === 'rtl' ? 'rtl' : 'ltr';
}
