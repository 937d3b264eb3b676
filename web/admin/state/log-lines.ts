// Lines of the log as the stream sends them, and the list of the newest. Pure.

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogLine {
  readonly id: string;
  readonly level: LogLevel;
  /** ms since 1970. */
  readonly at: number;
  readonly event: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Where an error happened; empty for none. */
  readonly stack: string;
}

const shownMax = 500;

/** Returns undefined for what is no line. */
export function parseLogLine(id: string, data: string): LogLine | undefined {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(data) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const { level, time, event, error, ...rest } = entry;
  const { stack = '', message = '' } = (error ?? {}) as { stack?: unknown; message?: unknown };
  const fields = Object.entries(rest).map(([name, value]) => [name, toText(value)] as const);
  const reason = toText(message);
  return {
    id,
    level: toLevel(level),
    at: Date.parse(String(time)),
    event: toText(event),
    fields: reason === '' ? fields : [...fields, ['error', reason]],
    stack: toText(stack),
  };
}

function toLevel(level: unknown): LogLevel {
  return level === 'debug' || level === 'info' || level === 'warn' ? level : 'error';
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The newest first, each once. */
export function addLines(lines: readonly LogLine[], added: readonly LogLine[]): readonly LogLine[] {
  const known = new Set(lines.map(({ id }) => id));
  const fresh = added.filter(({ id }) => !known.has(id));
  return fresh.length === 0 ? lines : [...fresh.reverse(), ...lines].slice(0, shownMax);
}

/** Stands where the service left lines out, because we read too slowly. */
export function missedLine(id: string, data: string, at: number): LogLine {
  const { count = 0 } = JSON.parse(data) as { readonly count?: number };
  return { id, level: 'warn', at, event: 'missed', fields: [['count', String(count)]], stack: '' };
}
