// Where settings come from: the environment, and the file of MAYFLY_SETTINGS_FILE beneath it. Read once, by main.ts.

import { readFileSync } from 'node:fs';

import { messageOf } from '../../system-errors/src/error-message.ts';
import { ConfigError } from './load-config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const settingsFileVariable = 'MAYFLY_SETTINGS_FILE';

/** Where a setting has its value from. */
export type SettingSource = 'default' | 'environment' | 'file' | 'command line';

export interface SettingSources {
  /** For loadConfig. */
  readonly environment: Environment;
  /** The variables that are not of the environment itself. */
  readonly others: ReadonlyMap<string, SettingSource>;
  /** The file of settings; empty when there is none. */
  readonly file: string;
}

/**
 * A variable of the environment wins over the same in the file. One with the same value counts as of the file, since
 * systemd and sh make the environment from it.
 * @throws ConfigError
 */
export function readSettingSources(environment: Environment): SettingSources {
  const file = environment[settingsFileVariable]?.trim() ?? '';
  if (file === '') return { environment, others: new Map(), file };
  const inFile = parseSettingsFile(readFile(file), file);
  const taken = [...inFile].filter(([name, value]) => {
    const given = environment[name]?.trim() ?? '';
    return given === '' || given === value.trim();
  });
  return {
    environment: { ...environment, ...Object.fromEntries(taken) },
    others: new Map(taken.map(([name]) => [name, 'file'])),
    file,
  };
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = messageOf(error);
    throw new ConfigError(`${settingsFileVariable} names ${file}, which cannot be read: ${reason}`);
  }
}

const assignment = /^(?:export )?\s*([A-Za-z_][A-Za-z0-9_]*)=(.*)$/;

/**
 * Lines `NAME=VALUE` as sh and systemd read them too: values may be in quotes, and a backslash continues a line. Never
 * quotes a value in an error.
 */
export function parseSettingsFile(text: string, file: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let before = '';
  // The line break at the end lets a last line that a backslash continues end too.
  for (const [at, line] of `${text}\n`.split(/\r?\n/).entries()) {
    const trimmed = before + line.trim();
    before = '';
    if (trimmed === '' || /^[#;]/.test(trimmed)) continue;
    if (trimmed.endsWith('\\')) {
      before = trimmed.slice(0, -1);
      continue;
    }
    const [, name, given = ''] = assignment.exec(trimmed) ?? [];
    if (name === undefined) throw new ConfigError(`Line ${at + 1} of ${file} must be NAME=VALUE.`);
    const value = unquote(given);
    if (value === undefined) throw new ConfigError(`${name} in ${file} has a quote that does not end.`);
    values.set(name, value);
  }
  return values;
}

/** Returns undefined when the quote does not end the line. */
function unquote(given: string): string | undefined {
  const value = given.trim();
  const [quote] = /^["']/.exec(value) ?? [];
  if (quote === undefined) return value;
  const inner = value.slice(1, -1);
  if (value.length < 2 || !value.endsWith(quote)) return undefined;
  return quote === '"' ? inner.replace(/\\(["\\$`])/g, '$1') : inner;
}
