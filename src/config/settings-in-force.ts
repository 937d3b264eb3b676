// The settings as an operator may look at them: by variable, secrets masked. Made by main.ts from the environment that
// loadConfig has checked.

import { settings } from './settings.ts';

/** A part of a URL that says who asks, and with which password. */
const credentialsOfUrl = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i;
const masked = '(set)';

export function describeSettings(
  environment: Readonly<Record<string, string | undefined>>,
): { name: string; value: string; isDefault: boolean }[] {
  return settings.map(({ name, default: fallback, isSecret }) => {
    const given = environment[name]?.trim() ?? '';
    const value = given === '' ? fallback : given;
    const shown = isSecret && value !== '' ? masked : maskUrl(value);
    return { name, value: shown, isDefault: given === '' };
  });
}

/** A query may hold a secret as well: what follows `?` of a URL is not shown. */
function maskUrl(value: string): string {
  const withoutCredentials = value.replace(credentialsOfUrl, `$1${masked}@`);
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(value)
    ? withoutCredentials.replace(/\?.*$/, `?${masked}`)
    : withoutCredentials;
}
