// The program's arguments → what to do. A wrong argument is named in one line.

import { parseArgs } from 'node:util';

import type { ControlRequest } from './control-protocol.ts';
import type { MailboxAction } from './mailbox-command.ts';
import { type CopyCommand, copyOptions, parseCopyCommand } from './parse-copy-command.ts';
import {
  parseBlockCommand,
  parseKeyCommand,
  parseSessionCommand,
  refuseForeignOptions,
} from './parse-operator-command.ts';
import {
  gmailOptions,
  parseGmailCommand,
  parseSecretCommand,
  type RequestWithFile,
  secretOptions,
} from './parse-gmail-command.ts';
import { UsageError } from './usage-error.ts';

export type Command =
  | { readonly kind: 'version' | 'help' }
  /** `processes`: how many run the service. */
  | { readonly kind: 'serve'; readonly processes: number }
  | { readonly kind: 'backup'; readonly folder: string }
  | { readonly kind: 'mailbox'; readonly request: MailboxAction }
  | { readonly kind: 'restore'; readonly folder: string; readonly endSessions: boolean }
  | { readonly kind: 'control'; readonly request: ControlRequest }
  | CopyCommand
  | RequestWithFile;

/** @param words the arguments after the program's name. @throws UsageError */
export function parseArguments(words: readonly string[]): Command {
  const { values, positionals } = parse(words);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  const [command = 'help', ...rest] = positionals;
  if (command !== 'restore' && values['end-sessions']) {
    throw new UsageError('--end-sessions belongs to `restore`.');
  }
  if (command !== 'domain') refuseOptions(values, domainOptions, 'domain add');
  if (command !== 'gmail' || rest[0] !== 'add') refuseOptions(values, gmailOptions, 'gmail add');
  if (command !== 'secret') refuseOptions(values, secretOptions, 'secret rotate');
  if (command !== 'copy') refuseOptions(values, copyOptions, 'copy');
  if (command !== 'serve') refuseOptions(values, serveOptions, 'serve');
  refuseForeignOptions(`${command} ${rest[0] ?? ''}`.trim(), values);
  switch (command) {
    case 'serve':
      if (rest.length > 0) throw new UsageError('`serve` takes no arguments but --processes.');
      return { kind: 'serve', processes: parseProcesses(values.processes) };
    case 'version':
    case 'help':
      if (rest.length > 0) throw new UsageError(`\`${command}\` takes no arguments.`);
      return { kind: command };
    case 'mailbox':
      return { kind: command, request: parseMailboxCommand(rest) };
    case 'backup':
      return { kind: command, folder: oneFolder(command, rest) };
    case 'restore':
      return {
        kind: command,
        folder: oneFolder(command, rest),
        endSessions: values['end-sessions'] === true,
      };
    case 'copy':
      return parseCopyCommand(rest, values);
    case 'domain':
      return { kind: 'control', request: parseDomainCommand(rest, values) };
    case 'gmail':
      return parseGmailCommand(rest, values);
    case 'secret':
      return parseSecretCommand(rest, values);
    case 'webhook':
      return { kind: 'control', request: parseWebhookCommand(rest) };
    case 'key':
      return { kind: 'control', request: parseKeyCommand(rest, values) };
    case 'session':
      return { kind: 'control', request: parseSessionCommand(rest) };
    case 'block':
      return { kind: 'control', request: parseBlockCommand(rest, values) };
    case 'settings':
      if (rest.length > 0) throw new UsageError('`settings` takes no arguments.');
      return { kind: 'control', request: { command } };
    default:
      throw new UsageError(`There is no command ${JSON.stringify(command)}.`);
  }
}

const serveOptions = { processes: { type: 'string' } } as const;

function parseProcesses(text = '1'): number {
  if (/^(?:[1-9]|[1-5]\d|6[0-4])$/.test(text)) return Number(text);
  throw new UsageError('--processes takes a number from 1 to 64.');
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        ...serveOptions,
        ...copyOptions,
        ...domainOptions,
        ...gmailOptions,
        ...secretOptions,
        'end-sessions': { type: 'boolean' },
        scope: { type: 'string', multiple: true },
        rate: { type: 'string' },
        admin: { type: 'boolean' },
        note: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/\s*\n\s*/g, ' '));
  }
}

function parseMailboxCommand([action, id, ...rest]: readonly string[]): MailboxAction {
  if (action === 'list' && id === undefined) return { action };
  const isComplete = id !== undefined && rest.length === 0;
  if ((action === 'show' || action === 'remove') && isComplete) return { action, id };
  throw new UsageError('`mailbox` takes list, show ID or remove ID.');
}

function oneFolder(command: string, [folder, ...rest]: readonly string[]): string {
  if (folder === undefined || rest.length > 0) throw new UsageError(`\`${command}\` takes one FOLDER.`);
  return folder;
}

function parseWebhookCommand([subject, action, which, ...rest]: readonly string[]): ControlRequest {
  const isOver = rest.length === 0;
  if (subject === 'dead' && action === 'list' && which === undefined) return { command: 'webhook-dead-list' };
  if (subject === 'dead' && action === 'replay' && isOver && which !== undefined) {
    if (which === 'all') return { command: 'webhook-dead-replay', id: which };
    if (/^[1-9]\d{0,14}$/.test(which)) return { command: 'webhook-dead-replay', id: Number(which) };
  }
  throw new UsageError('`webhook` takes dead list, dead replay ID or dead replay all.');
}

/** Those of `domain add`. */
interface DomainOptions {
  readonly quarantine?: string | undefined;
  readonly 'refuse-dmarc-reject'?: boolean | undefined;
  readonly 'accept-dmarc-reject'?: boolean | undefined;
  readonly unknown?: string | undefined;
}

const domainOptions = {
  quarantine: { type: 'string' },
  'refuse-dmarc-reject': { type: 'boolean' },
  'accept-dmarc-reject': { type: 'boolean' },
  unknown: { type: 'string' },
} as const;

function refuseOptions(
  given: Readonly<Record<string, unknown>>,
  options: Readonly<Record<string, unknown>>,
  command: string,
): void {
  const name = Object.keys(options).find((one) => given[one] !== undefined);
  if (name !== undefined) throw new UsageError(`--${name} belongs to \`${command}\`.`);
}

function parseDomainCommand(words: readonly string[], options: DomainOptions): ControlRequest {
  const [action, name, ...rest] = words;
  if (action !== 'add') refuseOptions({ ...options }, domainOptions, 'domain add');
  if (action === 'list' && name === undefined) return { command: 'domain-list' };
  if (action !== 'add' && action !== 'disable' && action !== 'remove' && action !== 'check') {
    throw new UsageError('`domain` takes add NAME, list, check NAME, disable NAME or remove NAME.');
  }
  if (name === undefined || rest.length > 0) throw new UsageError(`\`domain ${action}\` takes one NAME.`);
  if (action !== 'add') return { command: `domain-${action}`, name };
  const quarantineSeconds = parseSeconds(options.quarantine);
  return {
    ...{ command: 'domain-add', name, quarantineSeconds },
    refusesDmarcReject: parseDmarcReject(options),
    discardsUnknown: parseUnknown(options),
  };
}

/** Undefined leaves it as it is. */
function parseDmarcReject(options: DomainOptions): boolean | undefined {
  const { 'refuse-dmarc-reject': isRefused, 'accept-dmarc-reject': isAccepted } = options;
  if (isRefused && isAccepted) {
    throw new UsageError('--refuse-dmarc-reject and --accept-dmarc-reject exclude each other.');
  }
  return isRefused ? true : isAccepted ? false : undefined;
}

/** Undefined leaves it as it is. */
function parseUnknown({ unknown }: DomainOptions): boolean | undefined {
  switch (unknown) {
    case undefined:
      return undefined;
    case 'reject':
    case 'accept-and-discard':
      return unknown !== 'reject';
    default:
      throw new UsageError('--unknown takes reject or accept-and-discard.');
  }
}

function parseSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--quarantine takes whole seconds, at most 999999999.');
  return Number(text);
}
