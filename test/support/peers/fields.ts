// An answer as fields that two services can be compared by: values by their paths, without what each service makes up.

export type Fields = Readonly<Record<string, string | number | boolean | null>>;
/** By the name of the mail. */
export type Answers = Readonly<Record<string, Fields>>;

type Value = Fields[string];

export interface Known {
  /** Replacements of texts that are of one run or one service. */
  readonly texts: ReadonlyMap<string, string>;
  /** The size of the raw message that the service shows. */
  readonly rawBytes: number;
  /** The first and last instant of the run. */
  readonly run: readonly [number, number];
}

/** Longer ones are kept by their beginning and length, and compared no less: see `digest`. */
const textMaxChars = 240;
const generatedId = /\b[0-9A-Za-z]{22}@(?:mailpit|mayfly)\b/g;
/** As trace fields have it. */
const stamp = /\b[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}(?: \(\w+\))?/g;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Flattens a value; an empty list or map is a field, so that an absent one differs. */
export function toFields(value: unknown, known: Known): Fields {
  const fields: Record<string, Value> = {};
  const add = (path: string, one: unknown): void => {
    if (typeof one === 'object' && one !== null) {
      const entries = Object.entries(one);
      if (entries.length === 0) fields[path] = Array.isArray(one) ? '[]' : '{}';
      for (const [name, inner] of entries) add(path === '' ? name : `${path}.${name}`, inner);
    } else {
      fields[path] = toValue(path, one as Value, known);
    }
  };
  add('', value);
  return fields;
}

function toValue(path: string, value: Value, { texts, rawBytes, run: [startedAt, endedAt] }: Known): Value {
  // Some show whole seconds.
  const isNow = (at: number): boolean => at >= startedAt - 1000 && at <= endedAt;
  if (typeof value === 'number') {
    if (/\.size$/i.test(path) && value === rawBytes) return 'bytes of the raw message';
    return isNow(value) ? 'now' : value;
  }
  if (typeof value !== 'string') return value;
  if (instant.test(value) && isNow(Date.parse(value))) return 'now';
  if (/\.Received\.\d+$/.test(path) && / for <|by inbucket|\(Mailpit\)/.test(value)) return 'trace';
  let text = value
    .replaceAll(generatedId, 'made id')
    .replaceAll(stamp, (date) => (isNow(Date.parse(date)) ? 'now' : date));
  for (const [from, to] of texts) text = text.replaceAll(from, to);
  return shorten(text);
}

function shorten(text: string): string {
  if (text.length <= textMaxChars) return text;
  return `${text.slice(0, textMaxChars)}… (${text.length}, ${digest(text)})`;
}

/** FNV-1a. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16);
}
