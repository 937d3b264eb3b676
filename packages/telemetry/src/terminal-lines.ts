// Formats a log line for a person at a terminal: time, level, event and fields on one line. Where the log goes
// elsewhere, its lines stay JSON.

const colours: Readonly<Record<string, number>> = { debug: 90, info: 36, warn: 33, error: 31 };

/** @param line one JSON object, as written by pino; returned unchanged if it is none */
export function toTerminalLine(line: string, hasColour: boolean): string {
  const entry = readEntry(line);
  if (!entry) return line;
  const { level, time, event, error, ...fields } = entry;
  const name = String(level);
  const at = new Date(String(time)).toTimeString().slice(0, 8);
  const paint = (code: number, text: string): string => (hasColour ? `\x1b[${code}m${text}\x1b[0m` : text);
  const shown = Object.entries(fields).map(([key, value]) => `${paint(90, `${key}=`)}${writeValue(value)}`);
  const words = [
    paint(90, at),
    paint(colours[name] ?? 0, name.toUpperCase().padEnd(5)),
    String(event),
    ...shown,
  ];
  return `${words.join(' ')}${writeError(error)}\n`;
}

function readEntry(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith('{')) return undefined;
  return JSON.parse(line) as Readonly<Record<string, unknown>>;
}

/** Quoted unless it is plain, so that what others sent can neither look like a field nor move the cursor. */
function writeValue(value: unknown): string {
  if (typeof value === 'string' && /^[\w.:/@+-]+$/.test(value)) return value;
  // JSON escapes control characters except these.
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function writeError(error: unknown): string {
  if (error === undefined) return '';
  const { stack } = error as { stack?: unknown };
  const text = typeof stack === 'string' ? stack : writeValue(error);
  return `\n  ${text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '�').replaceAll('\n', '\n  ')}`;
}
