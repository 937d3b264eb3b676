// The words after `mayfly key`, `session`, `block` and `settings` → what is asked. Used by parse-arguments.ts.

import type { OperatorRequest } from './operator-commands.ts';
import { UsageError } from './usage-error.ts';

/** As parse-arguments.ts declares them. */
export interface OperatorOptions {
  readonly scope?: readonly string[] | undefined;
  readonly rate?: string | undefined;
  readonly admin?: boolean | undefined;
  readonly note?: string | undefined;
}

/** Option → the command it belongs to. */
const owners = { scope: 'key add', rate: 'key add', admin: 'key add', note: 'block add' } as const;

/** `command`: the one given, with its action. @throws UsageError */
export function refuseForeignOptions(command: string, options: OperatorOptions): void {
  for (const [name, owner] of Object.entries(owners)) {
    if (options[name as keyof typeof owners] !== undefined && command !== owner) {
      throw new UsageError(`--${name} belongs to \`${owner}\`.`);
    }
  }
}

/** @throws UsageError */
export function parseKeyCommand(
  [action, name, ...rest]: readonly string[],
  options: OperatorOptions,
): OperatorRequest {
  if (action === 'list' && name === undefined) return { command: 'key-list' };
  const isKnown = action === 'add' || action === 'revoke';
  if (!isKnown || name === undefined || rest.length > 0) {
    throw new UsageError('`key` takes add NAME, list or revoke NAME.');
  }
  if (action === 'revoke') return { command: 'key-revoke', name };
  return {
    command: 'key-add',
    name,
    isAdmin: options.admin ?? false,
    scopes: (options.scope ?? []).flatMap((scopes) => scopes.split(',')),
    ratePerMinute: parseRate(options.rate),
  };
}

function parseRate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const rate = Number(text);
  if (/^\d{1,7}$/.test(text) && rate >= 1 && rate <= 1_000_000) return rate;
  throw new UsageError('--rate takes calls a minute, from 1 to 1000000.');
}

/** @throws UsageError */
export function parseSessionCommand([action, address, ...rest]: readonly string[]): OperatorRequest {
  if (action === 'find' && rest.length === 0) return { command: 'session-find', address: address ?? '' };
  if (action === 'end' && address !== undefined && rest.length === 0) {
    return { command: 'session-end', address };
  }
  throw new UsageError('`session` takes find [ADDRESS] or end ADDRESS.');
}

/** @throws UsageError */
export function parseBlockCommand(
  [action, kind, value, ...rest]: readonly string[],
  { note = '' }: OperatorOptions,
): OperatorRequest {
  if (action === 'list' && kind === undefined) return { command: 'block-list' };
  const isWhole = kind !== undefined && value !== undefined && rest.length === 0;
  if (action === 'add' && isWhole) return { command: 'block-add', kind, value, note };
  if (action === 'remove' && isWhole) return { command: 'block-remove', kind, value };
  throw new UsageError('`block` takes list, or add or remove with sender, prefix or network and a VALUE.');
}
