// Parses the program's arguments to a call of one of its commands, or of an operator's.

import type { Given } from '#command-line/command';
import { parseLine } from '#command-line/parse-line';
import { parseDuration } from '#values/duration';
import type { OperatorCommand } from '../operator/command.ts';
import { operatorCommands } from '../operator/commands.ts';
import type { OperatorCall } from './operator-call.ts';
import { findProgramCommand, lineNouns, type ProgramKind } from './program-commands.ts';

/** A call of a command of the program, whose parameters are members of the object. */
export type ProgramCall = { readonly kind: ProgramKind } & Readonly<
  Record<string, string | number | boolean | undefined>
>;

export type Command = ProgramCall | OperatorCall;

/** @param words the arguments after the program's name. @throws UsageError */
export function parseArguments(words: readonly string[]): Command {
  const parsed = parseLine(words, lineNouns);
  if (parsed.kind !== 'call') return parsed;
  const { given, files, command } = parsed;
  const { words: kind = '' } = command;
  const program = findProgramCommand(kind);
  if (program) return { kind: program.words, ...given };
  const operatorCommand = operatorCommands.find((one) => one.words === kind);
  if (!operatorCommand) throw new Error(`The command ${kind} is not declared.`);
  return { kind: 'operator', command: operatorCommand, given: inSeconds(operatorCommand, given), files };
}

/** A command that runs in this process has its parameters from no other parser. */
function inSeconds({ parameters }: OperatorCommand, given: Given): Given {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const isDuration = parameters[name]?.kind === 'duration';
      return [name, isDuration ? (parseDuration(String(value)) ?? value) : value];
    }),
  );
}
