// A command on the command line: its words, help and parameters, declared like those of operator commands.

import type { Noun, OperatorCommand } from '../operator/command.ts';

export interface LineCommand extends Pick<OperatorCommand, 'words' | 'help' | 'parameters' | 'oneOf'> {
  /** Describes the words that it takes after `--`, as help shows them; takes none when absent. */
  readonly rest?: string;
}

export interface LineNoun extends Omit<Noun, 'commands'> {
  readonly commands: readonly LineCommand[];
}

/** Values by parameter, without absent ones. */
export type Given = Readonly<Record<string, string | number | boolean>>;

export interface OperatorCall {
  readonly kind: 'operator';
  readonly command: OperatorCommand;
  readonly given: Given;
  /** Files that hold values, by parameter. */
  readonly files: Readonly<Record<string, string>>;
}
