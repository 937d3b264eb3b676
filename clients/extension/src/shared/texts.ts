// The texts in the browser's language, from _locales.

/** `values` replace $1, $2 and so on. */
export function text(name: string, ...values: readonly string[]): string {
  return chrome.i18n.getMessage(name, [...values]);
}

export function direction(): 'ltr' | 'rtl' {
  return text('@@bidi_dir') === 'rtl' ? 'rtl' : 'ltr';
}
