// A call of an operator's command, as parsed from the command line.

import type { Given } from '#command-line/command';
import type { OperatorCommand } from '../operator/command.ts';

export interface OperatorCall {
  readonly kind: 'operator';
  readonly command: OperatorCommand;
  readonly given: Given;
  /** Files that hold values, by parameter. */
  readonly files: Readonly<Record<string, string>>;
}
