// What the command line knows of a command: its words, help and parameters, as operator commands declare theirs.

import type { Noun, OperatorCommand } from '../operator/command.ts';

export type LineCommand = Pick<OperatorCommand, 'words' | 'help' | 'parameters' | 'oneOf'>;

export interface LineNoun extends Omit<Noun, 'commands'> {
  readonly commands: readonly LineCommand[];
}
