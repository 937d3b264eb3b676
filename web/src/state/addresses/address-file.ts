// Saves addresses to a file that can be opened elsewhere: JSON with a version. It contains tokens. A file may hold
// anything, so each entry is checked by itself. Pure.
import { mostSessions, parseLabel, parseToken } from './stored-sessions.ts';

const format = 'mayfly-addresses';
const version = 1;
/** Characters; some ten times the size of a full file. */
export const longestFile = 200_000;

interface SavedAddress {
  readonly token: string;
  readonly email: string;
  /** By this device's clock, milliseconds since 1970. */
  readonly endsAt: number;
  readonly isShared: boolean;
  readonly label?: string;
}

/** An entry of the file: a session to ask the service about, or an invalid one. */
export type FileEntry =
  | { readonly token: string; readonly email: string; readonly isShared: boolean; readonly label: string }
  | { readonly token: null };

export type AddressFile =
  | { readonly fault: 'large' | 'foreign' | 'newer' | 'many' }
  | { readonly fault: null; readonly entries: readonly FileEntry[] };

export function formatAddressFile(addresses: readonly SavedAddress[], savedAt: number): string {
  const saved = addresses.map(({ token, email, endsAt, isShared, label = '' }) => ({
    email,
    token,
    ends_at: new Date(endsAt).toISOString(),
    ...(label === '' ? {} : { label }),
    ...(isShared ? { shared: true } : {}),
  }));
  const about = { format, version, saved_at: new Date(savedAt).toISOString(), addresses: saved };
  return `${JSON.stringify(about, null, 2)}\n`;
}

export function parseAddressFile(text: string): AddressFile {
  if (text.length > longestFile) return { fault: 'large' };
  const value = parseRecord(text);
  if (value?.['format'] !== format) return { fault: 'foreign' };
  if (typeof value['version'] === 'number' && value['version'] > version) return { fault: 'newer' };
  const { addresses } = value;
  if (value['version'] !== version || !Array.isArray(addresses)) return { fault: 'foreign' };
  if (addresses.length > mostSessions) return { fault: 'many' };
  return { fault: null, entries: addresses.map(toEntry) };
}

function toEntry(value: unknown): FileEntry {
  const {
    token: given,
    email,
    label,
    shared,
  }: Record<string, unknown> = typeof value === 'object' ? { ...value } : {};
  const token = parseToken(given);
  if (token === undefined) return { token: null };
  // Shown until the service answers with the address itself.
  const shown = typeof email === 'string' ? email.slice(0, 320) : '';
  return { token, email: shown, isShared: shared === true, label: parseLabel(label) };
}

function parseRecord(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
