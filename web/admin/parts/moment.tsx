// An instant of an answer, in the operator's own time; in full when pointed at.
import type { VNode } from 'preact';

import { locale } from '../../src/i18n/translate.ts';
import { formatFull, formatMoment, parseTimestamp } from '../../src/state/timestamp.ts';
import { text } from '../texts/text.ts';

export function Moment({ at, none }: { readonly at: string | null; readonly none?: string }): VNode {
  if (at === null) return <span class="quiet">{none ?? text('app.never')}</span>;
  const ms = parseTimestamp(at);
  return (
    <time dateTime={new Date(ms).toISOString()} title={formatFull(ms, locale.value)}>
      {momentWords(at)}
    </time>
  );
}

export function momentWords(at: string): string {
  return formatMoment(parseTimestamp(at), Date.now(), locale.value);
}
