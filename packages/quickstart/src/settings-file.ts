// The file of settings: lines of NAME=VALUE, which systemd and sh read. What the operator wrote stays, but for the values
// that differ.

export type Settings = Readonly<Record<string, string>>;

const line = /^([A-Z][A-Z0-9_]*)=(.*)$/;

/** Later lines win, as they do for systemd. */
export function readSettings(text: string): Settings {
  return Object.fromEntries(
    text.split('\n').flatMap((one) => {
      const [, name, value = ''] = line.exec(one.trim()) ?? [];
      return name === undefined ? [] : [[name, unquote(value)]];
    }),
  );
}

/** Changes the lines of these settings, and adds those that are missing at the end. */
export function mergeSettings(text: string, wanted: Settings): string {
  const known = readSettings(text);
  const changed = Object.entries(wanted).filter(([name, value]) => known[name] !== value);
  if (changed.length === 0) return text;
  const values = new Map(changed);
  const kept = text.split('\n').flatMap((one) => {
    const [, name = ''] = line.exec(one.trim()) ?? [];
    return values.has(name) ? [] : [one];
  });
  while (kept.at(-1) === '') kept.pop();
  return [...kept, ...changed.map(([name, value]) => `${name}=${quote(value)}`), ''].join('\n');
}

function quote(value: string): string {
  if (/[\n\r']/.test(value)) throw new RangeError('A setting cannot contain a line break or an apostrophe.');
  return /^[\w@%+=:,./-]*$/.test(value) ? value : `'${value}'`;
}

function unquote(value: string): string {
  return /^(['"])(.*)\1$/.exec(value.trim())?.[2] ?? value.trim();
}
