// Formats times and sizes for readers, in the language of the app. Pure apart from Intl.

/** Formatters by language, then by options: making one costs more than a hundred uses of it. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();
const agoFormats = new Map<string, Intl.RelativeTimeFormat>();

function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(language, options);
  dateFormats.set(key, format);
  return format;
}

function agoFormat(language: string): Intl.RelativeTimeFormat {
  const format = agoFormats.get(language) ?? new Intl.RelativeTimeFormat(language, { style: 'short' });
  agoFormats.set(language, format);
  return format;
}

/** @param timestamp UTC, `YYYY-MM-DD HH:MM:SS`. Returns milliseconds since 1970, NaN for anything else. */
export function parseTimestamp(timestamp: string): number {
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(timestamp)
    ? Date.parse(`${timestamp.replace(' ', 'T')}Z`)
    : NaN;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Formats minutes and seconds, with hours and days if any: `4:05`, `1:04:05`, `2 d 1:04:05`. Never negative. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [days, hours, minutes] = [86_400, 3600, 60].map((unit) => Math.floor(seconds / unit)) as [
    number,
    number,
    number,
  ];
  const two = (value: number): string => String(value).padStart(2, '0');
  const clock = `${two(minutes % 60)}:${two(seconds % 60)}`;
  if (days > 0) return `${days} d ${hours % 24}:${clock}`;
  return hours > 0 ? `${hours}:${clock}` : clock.replace(/^0/, '');
}

/** Formats `just now` below a minute, minutes below an hour, the time below a day, else the date. */
export function formatAgo(at: number, now: number, words: { language: string; now: string }): string {
  const ms = now - at;
  if (ms < minuteMs) return words.now;
  if (ms < 60 * minuteMs) {
    const minutes = Math.floor(ms / minuteMs);
    return agoFormat(words.language).format(-minutes, 'minute');
  }
  return ms < dayMs ? formatTime(at, words.language) : formatDate(at, words.language);
}

export function formatTime(at: number, language: string): string {
  return dateFormat(language, { timeStyle: 'short' }).format(at);
}

/** With seconds. */
export function formatClock(at: number, language: string): string {
  return dateFormat(language, { timeStyle: 'medium' }).format(at);
}

function formatDate(at: number, language: string): string {
  return dateFormat(language, { day: 'numeric', month: 'short' }).format(at);
}

export function formatFull(at: number, language: string): string {
  return dateFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(at);
}

/** Formats the time on the current day, else day and time. */
export function formatMoment(at: number, now: number, language: string): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday
    ? formatTime(at, language)
    : dateFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

/** Formats a span in words, rounded: `10 minutes`. */
export function formatSpan(seconds: number, language: string): string {
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const;
  const [unit, length] = units.find(([, each]) => seconds >= each) ?? ['second', 1];
  const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(language, style).format(seconds / length);
}

/** Returns bytes as `830 B`, `12 KB`, `3.4 MB`: the key of the text and the number for it. */
export function toSizeWords(bytes: number, language: string): { unit: SizeUnit; count: string } {
  const write = (value: number): string =>
    new Intl.NumberFormat(language, { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
  if (bytes < 1000) return { unit: 'bytes', count: write(bytes) };
  if (bytes < 999_500) return { unit: 'kilobytes', count: write(bytes / 1000) };
  return { unit: 'megabytes', count: write(bytes / 1_000_000) };
}

export type SizeUnit = 'bytes' | 'kilobytes' | 'megabytes';

/** Formats a span in up to three characters, for small spaces: minutes as `59` below 100 of them, else `6h`, `2d`. */
export function formatShortSpan(ms: number): string {
  const minutes = Math.ceil(Math.max(0, ms) / minuteMs);
  if (minutes < 100) return String(minutes);
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours}h` : `${Math.round(hours / 24)}d`;
}
