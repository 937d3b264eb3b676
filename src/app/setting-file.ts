// Reads files that settings name. Part of the composition root.

import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { messageOf } from '#system-errors/error-message';
import { ConfigError } from '#config/load-config';

/** @throws ConfigError */
export function readSettingFile(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${variable} names ${file}, which cannot be read: ${messageOf(error)}`);
  }
}

/** Returns certificate authorities in PEM; undefined for an empty setting. @throws ConfigError */
export function readAuthorities(variable: string, file: string): string | undefined {
  if (file === '') return undefined;
  const authorities = readSettingFile(variable, file);
  try {
    // Check the first one, because TLS ignores invalid ones and would then trust none.
    new X509Certificate(authorities);
  } catch {
    throw new ConfigError(`${variable} must name a file with certificates in PEM, but ${file} has none.`);
  }
  return authorities;
}
