// A command on the command line: its words, help and parameters, declared like those of operator commands.

import type { Noun, OperatorCommand } from '../operator/command.ts';

export type LineCommand = Pick<OperatorCommand, 'words' | 'help' | 'parameters' | 'oneOf'>;

export interface LineNoun extends Omit<Noun, 'commands'> {
  readonly commands: readonly LineCommand[];
}
