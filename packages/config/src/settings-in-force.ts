// The current settings for operators, by variable and with secrets masked. Made from what
// loadConfig has validated.

import type { SettingSource, SettingSources } from './setting-sources.ts';
import { settings } from './settings.ts';

/** The user and password in a URL. */
const credentialsOfUrl = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i;
const masked = '(set)';

export interface SettingInForce {
  readonly name: string;
  readonly value: string;
  readonly source: SettingSource;
  /** The file that it comes from; null for another source. */
  readonly file: string | null;
}

export function describeSettings({ environment, others, file }: SettingSources): SettingInForce[] {
  return settings.map(({ name, default: fallback, isSecret, show = asItIs }) => {
    const given = environment[name]?.trim() ?? '';
    const value = show(given === '' ? fallback : given);
    const shown = isSecret && value !== '' ? masked : maskUrl(value);
    const source = given === '' ? 'default' : (others.get(name) ?? 'environment');
    return { name, value: shown, source, file: source === 'file' ? file : null };
  });
}

function asItIs(text: string): string {
  return text;
}

/** Removes the query of a URL, which may contain a secret. */
function maskUrl(value: string): string {
  const withoutCredentials = value.replace(credentialsOfUrl, `$1${masked}@`);
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(value)
    ? withoutCredentials.replace(/\?.*$/, `?${masked}`)
    : withoutCredentials;
}
