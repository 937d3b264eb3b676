// The events that came with a message, each once however often the message has it. Loaded when a message has a calendar.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import type { Attachment } from '../../api/answers.ts';
import { type Reading, withFreshLinks } from '../../app/reading.ts';
import { inBackground, logFault } from '../../app/report-fault.ts';
import { saveAttachment } from '../../app/mail-files/saving.ts';
import { Icon } from '../../icons/icon.tsx';
import { locale, t } from '../../i18n/translate.ts';
import '../../styles/reader/event.css';
import { type CalendarEvent, type CalendarTime, readCalendar } from '../../state/mail/read-calendar.ts';

export interface EventCardsProps {
  readonly reading: Reading;
  readonly calendars: readonly Attachment[];
}

interface Found {
  readonly event: CalendarEvent;
  /** The attachment that has it. */
  readonly id: string;
}

const mostCards = 3;

export function EventCards({ reading, calendars }: EventCardsProps): VNode | null {
  const found = useSignal<readonly Found[]>([]);
  useEffect(() => {
    findEvents(reading, calendars).then((events) => {
      found.value = events;
    }, logFault);
  }, []);
  if (found.value.length === 0) return null;
  return (
    <div class="finds">
      {found.value.slice(0, mostCards).map(({ event, id }) => (
        <EventCard
          key={event.uid}
          event={event}
          onSave={() => {
            inBackground(saveAttachment(reading, id));
          }}
        />
      ))}
    </div>
  );
}

async function findEvents(reading: Reading, calendars: readonly Attachment[]): Promise<readonly Found[]> {
  const { attachments } = await withFreshLinks(reading);
  const found = new Map<string, Found>();
  for (const { id } of calendars) {
    const url = attachments.find((one) => one.id === id)?.url;
    if (url === undefined) continue;
    const response = await fetch(url);
    if (!response.ok) continue;
    for (const event of readCalendar(await response.text())) {
      if (!found.has(event.uid)) found.set(event.uid, { event, id });
    }
  }
  return [...found.values()];
}

interface EventCardProps {
  readonly event: CalendarEvent;
  readonly onSave: () => void;
}

export function EventCard({ event, onSave }: EventCardProps): VNode {
  const { title, place, organizer, isCancelled, repeats } = event;
  const more = [isCancelled && t('event.cancelled'), repeats && t('event.repeats')].filter(Boolean);
  return (
    <section class={`find is-event${isCancelled ? ' is-cancelled' : ''}`} aria-label={t('event.label')}>
      <div class="find-words">
        <strong class="event-title" dir="auto">
          {title || t('event.label')}
        </strong>
        <span class="event-time">{formatTimes(event, locale.value)}</span>
        {place !== '' && <bdi class="event-place">{place}</bdi>}
        {organizer !== '' && <span class="code-label">{t('event.from', { name: organizer })}</span>}
        {more.length > 0 && <span class="event-state">{more.join(' · ')}</span>}
      </div>
      <button type="button" class="button" onClick={onSave}>
        <Icon name="download" />
        <span>{t('event.save')}</span>
      </button>
    </section>
  );
}

function formatTimes({ start, end }: CalendarEvent, language: string): string {
  const isDay = start.kind === 'day';
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'full',
    ...(isDay ? {} : { timeStyle: 'short' }),
    ...zoneOf(start),
  });
  const sameKind = end?.kind === start.kind;
  const span = sameKind ? format.formatRange(start.at, end.at) : format.format(start.at);
  return isDay ? `${span}, ${t('event.allDay')}` : span;
}

/** A time that is no instant is shown as it was written. */
function zoneOf({ kind }: CalendarTime): { readonly timeZone?: 'UTC' } {
  return kind === 'instant' ? {} : { timeZone: 'UTC' };
}
