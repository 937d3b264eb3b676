// The texts in the browser's language, from _locales.

let lines: readonly string[] | undefined;

/** The build puts a text's line for its name. `value` goes where the text has room for one. */
export function text(name: string, value = ''): string {
  lines ??= chrome.i18n.getMessage('texts').split('\n');
  return (lines[Number(name)] ?? '').replace('\t', () => value);
}

export function direction(): 'ltr' | 'rtl' {
  return chrome.i18n.getMessage('@@bidi_dir') === 'rtl' ? 'rtl' : 'ltr';
}
