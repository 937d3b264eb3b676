// Durations as people write them: 30d, 12h, 1h30m, 45s. A plain number is of seconds, as the names of settings say.

const secondsOf = { d: 86_400, h: 3600, m: 60, s: 1 } as const;
const units = Object.entries(secondsOf);
const form = /^(?:(\d{1,9})d\s*)?(?:(\d{1,9})h\s*)?(?:(\d{1,9})m\s*)?(?:(\d{1,9})s)?$/i;

/** Describes the form, in words that end a sentence. */
export const durationForm = 'a duration such as 30d, 12h, 1h30m or 45s, or whole seconds';

/** Returns whole seconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^\d{1,16}$/.test(trimmed)) return Number(trimmed);
  const [, ...parts] = form.exec(trimmed) ?? [];
  if (parts.every((part) => part === undefined)) return undefined;
  return units.reduce((sum, [, seconds], at) => sum + Number(parts[at] ?? 0) * seconds, 0);
}

/** Formats whole seconds with as few units as are exact: 90000 is 1d1h, and 0 is 0s. */
export function formatDuration(seconds: number): string {
  let rest = seconds;
  let text = '';
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text === '' ? '0s' : text;
}
