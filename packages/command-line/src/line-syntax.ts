// Formats commands as written on the command line, for the help and error messages.

import type { LineCommand, LineNoun, LineOption, LineParameter } from './command.ts';

export interface NamedOption {
  readonly parameter: LineParameter;
  readonly option: LineOption;
  /** The parameter's name. */
  readonly name: string;
}

export function optionsOf(command: LineCommand): NamedOption[] {
  return Object.entries(command.parameters).flatMap(([name, parameter]) =>
    parameter.option ? [{ name, parameter, option: parameter.option }] : [],
  );
}

export function operandsOf(command: LineCommand): [name: string, parameter: LineParameter][] {
  return Object.entries(command.parameters).filter(([, { operand }]) => operand !== undefined);
}

/** `--quarantine SECONDS` */
export function writeOption({ parameter, option }: NamedOption): string {
  const value = parameter.kind === 'choice' ? parameter.values.join('|') : option.value;
  const opposite = option.opposite === undefined ? '' : ` | --${option.opposite}`;
  return `--${option.name}${value === undefined ? '' : ` ${value}`}${opposite}`;
}

/** Describes an option's value, in words that end a sentence. */
export function describeTaken({ parameter, option }: NamedOption): string {
  if (option.takes !== undefined) return option.takes;
  switch (parameter.kind) {
    case 'int':
      return `a number from ${parameter.min} to ${parameter.max}`;
    case 'choice':
      return either(parameter.values);
    case 'flag':
    case 'time':
    case 'duration':
    case 'text':
      return parameter.description;
  }
}

/** Returns operands, then options, each as one piece. */
export function writeUsage(command: LineCommand): string[] {
  const options = optionsOf(command);
  const isChoice = ({ name }: NamedOption): boolean => command.oneOf?.includes(name) ?? false;
  const choice = options.filter(isChoice).map(writeOption).join(' | ');
  return [
    ...writeOperands(command),
    ...(choice === '' ? [] : [choice]),
    ...options.filter((one) => !isChoice(one)).map(writeBracketed),
    ...(command.rest === undefined ? [] : [`[-- ${command.rest}]`]),
    ...(command.ownWords === undefined ? [] : [command.ownWords]),
  ];
}

function writeOperands(command: LineCommand): string[] {
  return operandsOf(command).map(([, { operand = '', required }]) => (required ? operand : `[${operand}]`));
}

function writeBracketed(one: NamedOption): string {
  const text = writeOption(one);
  if (one.parameter.required) return text;
  return `[${text}]${one.option.repeats ? '...' : ''}`;
}

/** Explains wrong operands of a command, or wrong words after a noun. */
export function explainUsage(noun: LineNoun, command?: LineCommand): string {
  if (command?.words !== undefined) {
    const [first, ...others] = operandsOf(command);
    if (noun.explainsEach && first && others.length === 0) {
      return `\`${command.words}\` takes one ${first[1].operand}.`;
    }
    if (command.words === noun.word && !first) {
      const options = optionsOf(command).map(({ option }) => `--${option.name}`);
      return `\`${noun.word}\` takes no arguments${options.length > 0 ? ` but ${options.join(' and ')}` : ''}.`;
    }
  }
  const offered = noun.commands.filter(({ words }) => words !== undefined);
  return `\`${noun.word}\` takes ${noun.takes ?? either(offered.map((one) => writeShort(noun, one)))}.`;
}

/** Writes a command without the noun, and only with what is required. */
function writeShort(noun: LineNoun, command: LineCommand): string {
  const words = (command.words ?? '').slice(noun.word.length).trim();
  const options = optionsOf(command).filter(({ parameter }) => parameter.required);
  return [words, ...writeOperands(command), ...options.map(writeOption)].join(' ');
}

/** `a, b or c` */
function either(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`;
}
