// Reads the events of an iCalendar file (RFC 5545) that came with a message, for cards. The file is a stranger's: texts
// are cut, and what is not understood is left out. Pure, and loaded with the card.

export interface CalendarEvent {
  /** The same in each copy of an invitation. */
  readonly uid: string;
  readonly title: string;
  readonly place: string;
  readonly organizer: string;
  readonly start: CalendarTime;
  /** Null if the file does not say. Of whole days, the last one. */
  readonly end: CalendarTime | null;
  readonly isCancelled: boolean;
  readonly repeats: boolean;
}

/** `at`: ms since 1970. Of a whole day, and of a time without a zone, in UTC: to be shown as it is written. */
export interface CalendarTime {
  readonly at: number;
  readonly kind: 'instant' | 'day' | 'written';
}

interface Line {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly value: string;
}

const mostEvents = 20;
const longestText = 300;
const dayMs = 86_400_000;

/** Returns each event once: the first of those with the same identity. */
export function readCalendar(text: string): readonly CalendarEvent[] {
  const lines = text
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .flatMap((line) => readLine(line) ?? []);
  const isCancelled = lines.some(({ name, value }) => name === 'METHOD' && value.toUpperCase() === 'CANCEL');
  const events = new Map<string, CalendarEvent>();
  let open: Line[] | null = null;
  let depth = 0;
  for (const line of lines) {
    const isEvent = line.value.toUpperCase() === 'VEVENT';
    if (line.name === 'BEGIN' && open) depth += 1;
    else if (line.name === 'BEGIN' && isEvent) open = [];
    else if (line.name === 'END' && open && depth > 0) depth -= 1;
    else if (line.name === 'END' && open) {
      const event = toEvent(open, isCancelled);
      if (event && events.size < mostEvents && !events.has(event.uid)) events.set(event.uid, event);
      open = null;
      // An alarm's own fields are not the event's.
    } else if (open && depth === 0) open.push(line);
  }
  return [...events.values()];
}

function readLine(text: string): Line | null {
  const found = /^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:]*))*):(.*)$/.exec(text);
  if (!found) return null;
  const [, name = '', parameters = '', value = ''] = found;
  const pairs = [...parameters.matchAll(/;([A-Za-z0-9-]+)=(?:"([^"]*)"|([^";:]*))/g)];
  return {
    name: name.toUpperCase(),
    parameters: new Map(
      pairs.map(([, key = '', quoted, plain]) => [key.toUpperCase(), quoted ?? plain ?? '']),
    ),
    value,
  };
}

function toEvent(lines: readonly Line[], isCancelled: boolean): CalendarEvent | null {
  const find = (name: string): Line | undefined => lines.find((line) => line.name === name);
  const text = (name: string): string => toText(find(name)?.value ?? '');
  const start = toTime(find('DTSTART'));
  if (!start) return null;
  const organizer = find('ORGANIZER');
  return {
    uid: find('UID')?.value ?? `${start.at} ${text('SUMMARY')}`,
    title: text('SUMMARY'),
    place: text('LOCATION'),
    organizer: toText(organizer?.parameters.get('CN') ?? organizer?.value.replace(/^mailto:/i, '') ?? ''),
    start,
    end: toEnd(start, find('DTEND'), find('DURATION')?.value),
    isCancelled: isCancelled || find('STATUS')?.value.toUpperCase() === 'CANCELLED',
    repeats: find('RRULE') !== undefined,
  };
}

function toText(value: string): string {
  return value
    .replace(/\\([nN,;\\])/g, (_, char: string) => (char === 'n' || char === 'N' ? ' ' : char))
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, longestText);
}

function toEnd(
  start: CalendarTime,
  given: Line | undefined,
  duration: string | undefined,
): CalendarTime | null {
  const end = toTime(given) ?? (duration === undefined ? null : addDuration(start, duration));
  if (!end || end.at <= start.at) return null;
  // The end of whole days is the day after the last.
  if (start.kind === 'day') return end.at - dayMs > start.at ? { at: end.at - dayMs, kind: 'day' } : null;
  return end.kind === 'day' ? null : end;
}

function addDuration({ at, kind }: CalendarTime, text: string): CalendarTime | null {
  const found =
    /^\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/i.exec(text);
  if (!found) return null;
  const [weeks, days, hours, minutes, seconds] = found.slice(1).map((digits) => Number(digits ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { at: at + (weeks * 7 + days) * dayMs + ((hours * 60 + minutes) * 60 + seconds) * 1000, kind };
}

function toTime(line: Line | undefined): CalendarTime | null {
  const found = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/i.exec(line?.value.trim() ?? '');
  if (!line || !found) return null;
  const [, year, month, day, hours, minutes, seconds, zulu] = found;
  const written = Date.UTC(
    ...([year, Number(month) - 1, day, hours ?? 0, minutes ?? 0, seconds ?? 0].map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]),
  );
  if (hours === undefined) return { at: written, kind: 'day' };
  if (zulu !== '') return { at: written, kind: 'instant' };
  const zone = line.parameters.get('TZID');
  const offset = zone === undefined ? null : offsetOf(zone.replace(/^\//, ''), written);
  return offset === null ? { at: written, kind: 'written' } : { at: written - offset, kind: 'instant' };
}

/** Returns how far a zone is ahead of UTC when its clocks show this time, in ms; null for a zone without a known name. */
function offsetOf(zone: string, written: number): number | null {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...({ year: 'numeric', month: 'numeric', day: 'numeric' } as const),
      ...({ hour: 'numeric', minute: 'numeric', second: 'numeric' } as const),
    });
    const ahead = (at: number): number => {
      const parts = Object.fromEntries(
        format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
      );
      const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
      return Date.UTC(year, month - 1, day, hour, minute, second) - at;
    };
    // Once more with the first result, for times beside a change of the clocks.
    return ahead(written - ahead(written));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}
