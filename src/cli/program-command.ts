// A command of the program itself: declared like an operator's, and carrying its `run`. What runs it is loaded when it is
// called, so that the service does not load the database tools, nor `mayfly help` the service.

import type { LineCommand } from '#command-line/command';

import type { SettingSources } from '#config/setting-sources';

/** Values by parameter; absent ones may be undefined. */
export type ProgramGiven = Readonly<Record<string, string | number | boolean | undefined>>;

/** The process as a command sees it. */
export interface Program extends SettingSources {
  /** The words after `--`, for a command that takes them, at least one; or all, for one that parses them itself. */
  readonly rest?: readonly string[] | undefined;
  /** @param of words of a command, or the beginning of several; all when absent */
  readonly formatHelp: (of?: string) => string;
  readonly formatCompletion: () => string;
}

export interface ProgramCommand extends LineCommand {
  readonly words: string;
  run(given: ProgramGiven, program: Program): Promise<void> | void;
}

export function say(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
