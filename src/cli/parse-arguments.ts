// The program's arguments → what to do. A wrong argument is named in one line.

import { parseArgs } from 'node:util';

import type { ControlRequest } from './control-protocol.ts';

export type Command =
  | { readonly kind: 'serve' | 'version' | 'help' }
  | { readonly kind: 'control'; readonly request: ControlRequest };

/** Wrong usage, in one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @param words the arguments after the program's name. @throws UsageError */
export function parseArguments(words: readonly string[]): Command {
  const { values, positionals } = parse(words);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  const [command = 'help', ...rest] = positionals;
  if (command !== 'domain' && values.quarantine !== undefined) {
    throw new UsageError('--quarantine belongs to `domain add`.');
  }
  switch (command) {
    case 'serve':
    case 'version':
    case 'help':
      if (rest.length > 0) throw new UsageError(`\`${command}\` takes no arguments.`);
      return { kind: command };
    case 'domain':
      return { kind: 'control', request: parseDomainCommand(rest, values.quarantine) };
    default:
      throw new UsageError(`There is no command ${JSON.stringify(command)}.`);
  }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        quarantine: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/\s*\n\s*/g, ' '));
  }
}

function parseDomainCommand(words: readonly string[], quarantine: string | undefined): ControlRequest {
  const [action, name, ...rest] = words;
  if (quarantine !== undefined && action !== 'add') {
    throw new UsageError('--quarantine belongs to `domain add`.');
  }
  if (action === 'list' && name === undefined) return { command: 'domain-list' };
  if (action !== 'add' && action !== 'disable' && action !== 'remove') {
    throw new UsageError('`domain` takes add NAME, list, disable NAME or remove NAME.');
  }
  if (name === undefined || rest.length > 0) throw new UsageError(`\`domain ${action}\` takes one NAME.`);
  if (action !== 'add') return { command: `domain-${action}`, name };
  return { command: 'domain-add', name, quarantineSeconds: parseSeconds(quarantine) };
}

function parseSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--quarantine takes whole seconds, at most 999999999.');
  return Number(text);
}
