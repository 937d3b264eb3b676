// Formats a size in bytes in the reader's language; no line breaks before its unit.
import { locale, t } from '../../i18n/translate.ts';
import { toSizeWords } from '../../state/timestamp.ts';

export function sizeWords(bytes: number): string {
  const { unit, count } = toSizeWords(bytes, locale.value);
  return t(`size.${unit}` as const, { count }).replace(' ', '\u00a0');
}
