// Parses the program's arguments by the commands' declarations. An error names the wrong argument in one line.

import { parseArgs, type ParseArgsConfig } from 'node:util';

import { messageOf } from '../../system-errors/src/error-message.ts';
import type { Given, LineCommand, LineNoun } from './command.ts';
import {
  describeTaken,
  explainUsage,
  type NamedOption,
  operandsOf,
  optionsOf,
  writeOption,
} from './line-syntax.ts';
import { UsageError } from './usage-error.ts';

/** The options `--help` and `--version` of every command, or a call of one. */
export type ParsedLine =
  /** `of`: a command, or a noun; all when absent. */
  { readonly kind: 'help'; readonly of?: string } | { readonly kind: 'version' } | ParsedCall;

export interface ParsedCall {
  readonly kind: 'call';
  readonly command: LineCommand;
  readonly given: Given;
  /** Files that hold values, by parameter. */
  readonly files: Readonly<Record<string, string>>;
}

type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

/**
 * @param words the arguments after the program's name; without any, `help`
 * @throws UsageError
 */
export function parseLine(words: readonly string[], nouns: readonly LineNoun[]): ParsedLine {
  const { values, positionals } = parse(words, nouns);
  if (values['help']) return helpOf(positionals, nouns);
  if (values['version']) return { kind: 'version' };
  const line = positionals.length > 0 ? positionals : ['help'];
  if (line[0] === 'help' && line.length > 1) return helpOf(line.slice(1), nouns);
  const [noun, command] = findCommand(line, nouns);
  refuseForeignOptions(values, { nouns, noun, command });
  if (!noun) throw new UsageError(`There is no command ${JSON.stringify(line[0])}.`);
  const operands = command && takeOperands(command, line);
  if (!operands) throw new UsageError(explainUsage(noun, command));
  const { given, files } = takeOptions({ noun, command, values });
  return { kind: 'call', command, given: { ...operands, ...given }, files };
}

/**
 * Separates the words after `--` where the command takes them, and all of a command that parses them itself; for
 * others, `--` ends the options.
 * @throws UsageError when there are none after `--`
 */
export function splitRest(
  words: readonly string[],
  nouns: readonly LineNoun[],
): { line: readonly string[]; rest?: readonly string[] } {
  const [, own] = findCommand(words.slice(0, 1), nouns);
  if (own?.ownWords !== undefined && words[1] !== '--help') {
    return { line: words.slice(0, 1), rest: words.slice(1) };
  }
  const at = words.indexOf('--');
  const [, command] = at < 0 ? [] : findCommand(words.slice(0, at), nouns);
  if (command?.rest === undefined) return { line: words };
  const rest = words.slice(at + 1);
  if (rest.length === 0) throw new UsageError(`\`${command.words} --\` needs a command after it.`);
  return { line: words.slice(0, at), rest };
}

/**
 * Help for the command, or the commands of the noun, that the words begin with; for all without words.
 * @throws UsageError for a word that begins no command
 */
function helpOf(line: readonly string[], nouns: readonly LineNoun[]): ParsedLine {
  const [noun, command] = findCommand(line, nouns);
  if (line.length > 0 && !noun) throw new UsageError(`There is no command ${JSON.stringify(line[0])}.`);
  const of = command?.words ?? noun?.word;
  return { kind: 'help', ...(of === undefined || of === 'help' ? {} : { of }) };
}

function parse(
  words: readonly string[],
  nouns: readonly LineNoun[],
): { values: Values; positionals: readonly string[] } {
  const options: ParseArgsConfig['options'] = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
  };
  const first = words.find((word) => !word.startsWith('-'));
  const isOwn = ({ word }: LineNoun): boolean => word === first;
  // Last, since an option of the same name may be a flag elsewhere.
  const inOrder = [...nouns.filter((noun) => !isOwn(noun)), ...nouns.filter(isOwn)];
  for (const { parameter, option } of inOrder.flatMap(({ commands }) => commands.flatMap(optionsOf))) {
    const type = parameter.kind === 'flag' ? 'boolean' : 'string';
    options[option.name] = { type, multiple: option.repeats ?? false };
    if (option.opposite !== undefined) options[option.opposite] = { type };
  }
  try {
    return parseArgs({ args: [...words], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(messageOf(error).replace(/(?<!\s)\s*\n\s*/g, ' '));
  }
}

/** Finds the noun of the first word, and the command that the words begin with. */
function findCommand(
  line: readonly string[],
  nouns: readonly LineNoun[],
): [LineNoun | undefined, LineCommand | undefined] {
  const noun = nouns.find(({ word }) => word === line[0]);
  const command = noun?.commands.find(
    ({ words }) => words !== undefined && line.slice(0, words.split(' ').length).join(' ') === words,
  );
  return [noun, command];
}

interface Called {
  readonly nouns: readonly LineNoun[];
  readonly noun: LineNoun | undefined;
  readonly command: LineCommand | undefined;
}

/** @throws UsageError for an option of another command */
function refuseForeignOptions(values: Values, { nouns, noun, command }: Called): void {
  const own = command ? optionsOf(command).flatMap(namesOf) : [];
  for (const name of Object.keys(values)) {
    if (own.includes(name)) continue;
    const near = noun ? ownersOf(name, [noun]) : [];
    const owners = near.length > 0 ? near : ownersOf(name, nouns);
    throw new UsageError(`--${name} belongs to ${owners.join(' or ')}.`);
  }
}

function ownersOf(name: string, nouns: readonly LineNoun[]): string[] {
  return nouns.flatMap(({ commands }) =>
    commands
      .filter((one) => optionsOf(one).flatMap(namesOf).includes(name))
      .map(({ words }) => `\`${words}\``),
  );
}

function namesOf({ option }: NamedOption): string[] {
  return option.opposite === undefined ? [option.name] : [option.name, option.opposite];
}

/** Returns undefined when the operands do not fit the command. */
function takeOperands(command: LineCommand, line: readonly string[]): Given | undefined {
  const operands = operandsOf(command);
  const words = line.slice((command.words ?? '').split(' ').length);
  if (words.length > operands.length) return undefined;
  const given: Record<string, string> = {};
  for (const [at, [name, parameter]] of operands.entries()) {
    const word = words[at];
    if (word === undefined && parameter.required) return undefined;
    if (word === undefined) continue;
    if (!fitsPattern(parameter, word)) return undefined;
    given[name] = word;
  }
  return given;
}

/** The command parses it; a slip is better found before the service is called. */
const durationForm = /^(?=\d)(?:\d{1,9}|(?:\d{1,9}d)?(?:\d{1,9}h)?(?:\d{1,9}m)?(?:\d{1,9}s)?)$/i;

function fitsPattern(parameter: NamedOption['parameter'], text: string): boolean {
  return (
    parameter.kind !== 'text' || parameter.pattern === undefined || new RegExp(parameter.pattern).test(text)
  );
}

interface Line {
  readonly noun: LineNoun;
  readonly command: LineCommand;
  readonly values: Values;
}

/** @throws UsageError */
function takeOptions({ noun, command, values }: Line): Pick<ParsedCall, 'given' | 'files'> {
  const given: Record<string, string | number | boolean> = {};
  const files: Record<string, string> = {};
  const options = optionsOf(command);
  for (const one of options) {
    const value = takeOption(one, values);
    if (value === undefined && one.parameter.required) {
      throw new UsageError(one.option.takes === undefined ? explainUsage(noun, command) : takes(one));
    }
    if (value === undefined) continue;
    if (one.option.readContent) files[one.name] = String(value);
    else given[one.name] = value;
  }
  const { oneOf } = command;
  if (oneOf && oneOf.filter((name) => name in given || name in files).length !== 1) {
    const choices = options.filter(({ name }) => oneOf.includes(name)).map(writeOption);
    throw new UsageError(`\`${command.words}\` needs either ${choices.join(' or ')}.`);
  }
  return { given, files };
}

/** Returns undefined when it is not given. @throws UsageError */
function takeOption(one: NamedOption, values: Values): string | number | boolean | undefined {
  const { parameter, option } = one;
  const raw = values[option.name];
  if (parameter.kind === 'flag') {
    const isOpposite = option.opposite !== undefined && values[option.opposite] === true;
    if (raw === true && isOpposite) {
      throw new UsageError(`--${option.name} and --${option.opposite} exclude each other.`);
    }
    return raw === true ? true : isOpposite ? false : undefined;
  }
  if (raw === undefined) return undefined;
  const text = Array.isArray(raw) ? raw.join(',') : String(raw);
  switch (parameter.kind) {
    case 'int':
      if (!/^\d{1,9}$/.test(text) || Number(text) < parameter.min || Number(text) > parameter.max) break;
      return Number(text);
    case 'choice':
      if (!parameter.values.includes(text)) break;
      return text;
    case 'duration':
      if (!durationForm.test(text)) break;
      return text;
    case 'time':
      return text;
    case 'text':
      if (!fitsPattern(parameter, text)) break;
      return text;
  }
  throw new UsageError(takes(one));
}

function takes(one: NamedOption): string {
  return `--${one.option.name} takes ${describeTaken(one)}.`;
}
