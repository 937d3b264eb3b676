// The log of the service as it is written, the newest line first.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { formatClock, formatFull } from '../../src/state/timestamp.ts';
import { locale } from '../../src/i18n/translate.ts';
import { Nothing } from '../parts/listing.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Pill, type Tone } from '../parts/pill.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { Segments } from '../parts/segments.tsx';
import type { LogLevel, LogLine } from '../state/log-lines.ts';
import { useLog } from '../state/use-log.ts';
import { text } from '../texts/text.ts';

const pauseMs = 250;
const levels = ['debug', 'info', 'warn', 'error'] as const;
const tones: Readonly<Record<LogLevel, Tone>> = {
  debug: 'quiet',
  info: 'good',
  warn: 'warning',
  error: 'bad',
};

export function LogView(): VNode {
  const [level, setLevel] = useState<LogLevel>('debug');
  const [words, setWords] = useState('');
  const { lines, isLive, problem } = useLog({ level, words });
  return (
    <>
      <PageHead intro={text('log.intro')} />
      <div class="filters">
        <SearchField label={text('log.search')} onChange={setWords} afterMs={pauseMs} />
        <Segments
          label={text('log.level')}
          value={level}
          onChange={setLevel}
          options={levels.map((one) => [one, text(`log.${one}`)])}
        />
        <p class={`connection ${isLive ? 'is-live' : 'is-connecting'}`} role="status">
          <span class="connection-dot" />
          <span>{text(isLive ? 'log.live' : 'log.connecting')}</span>
        </p>
      </div>
      {problem !== '' && (
        <div class="listing-problem" role="alert">
          <p>{problem}</p>
        </div>
      )}
      {lines.length === 0 ? (
        <Nothing icon="log" title={text('log.none')} hint={text('log.noneHint')} />
      ) : (
        <ol class="log" aria-label={text('place.log')} tabIndex={0}>
          {lines.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </ol>
      )}
    </>
  );
}

function Line({ line }: { readonly line: LogLine }): VNode {
  const { level, at, event, fields, stack } = line;
  return (
    <li class={`is-${level}`}>
      <time dateTime={new Date(at).toISOString()} title={formatFull(at, locale.value)}>
        {formatClock(at, locale.value)}
      </time>
      <Pill tone={tones[level]} label={level} />
      <div class="log-text breakable">
        <strong>{event}</strong>
        {fields.map(([name, value]) => (
          <span key={name}>
            {' '}
            <i>{name}=</i>
            {value}
          </span>
        ))}
        {stack !== '' && (
          <details>
            <summary>{text('log.stack')}</summary>
            <pre>{stack}</pre>
          </details>
        )}
      </div>
    </li>
  );
}
