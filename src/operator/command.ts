// What one operator command is: declared once, and served over HTTP, offered by the command line, explained by its help
// and listed in docs/admin.md from that. Each noun has a file of them; commands.ts lists the nouns.

import type { Parameter, ParameterValues } from '../domain/parameter.ts';
import type { OperatorDeps } from '../service/operator-deps.ts';

/** What commands work with. */
export interface OperatorContext {
  readonly operator: OperatorDeps;
  readonly health: {
    isReady(): { readonly ready: true } | { readonly ready: false; readonly reason: string };
  };
  readonly version: string;
}

/** How the command line names a parameter that is no bare word. */
export interface CommandOption {
  /** Without its dashes. */
  readonly name: string;
  /** What stands for its value in the help, e.g. `SECONDS`; a flag has none, a choice lists its values. */
  readonly value?: string;
  /** Of a flag: the option that says the opposite. */
  readonly opposite?: string;
  /** What the value has to be, where that of the parameter's kind says too little: ends "--rate takes …". */
  readonly takes?: string;
  /** May be given several times; the values are joined by commas. */
  readonly repeats?: true;
  /**
   * The option names a file, and this makes the parameter's value of what the file holds: arguments can be read by every
   * user of the machine. @throws OperatorError, which never quotes the content
   */
  readonly readContent?: (content: string, file: string) => string;
}

interface OnCommandLine {
  /** Its name among the words after the command, e.g. `NAME`. */
  readonly operand?: string;
  readonly option?: CommandOption;
  /** Taken on this machine alone: from the command line, never from the network. */
  readonly isLocal?: true;
}

/** The description also explains the option in the help. */
export type CommandParameter = Parameter & OnCommandLine;
export type CommandParameters = Readonly<Record<string, CommandParameter>>;

export interface OperatorCommand<T extends CommandParameters = CommandParameters, A extends object = object> {
  /** GET needs the scope `read`, POST `write`. */
  readonly method: 'GET' | 'POST';
  readonly path: `/admin/${string}`;
  /** On the command line, e.g. `domain add`; absent for what it does not offer. */
  readonly words?: string;
  /** What it does, without a subject: for the help and the docs. */
  readonly help: string;
  /** Served on this machine alone: to the command line, never to the network. */
  readonly isLocal?: true;
  readonly parameters: T;
  /** Parameters of which the command line takes exactly one. */
  readonly oneOf?: readonly (keyof T & string)[];
  /** The answer as it goes out in JSON. @throws OperatorError, MayflyError */
  run(context: OperatorContext, parameters: ParameterValues<T>): Promise<A>;
  /** The lines that the command line prints. @throws OperatorError where the answer counts as a failure */
  print(answer: A, parameters: ParameterValues<T>): readonly string[];
}

/** Commands that begin with the same word. */
export interface Noun {
  readonly word: string;
  /** What may follow the word; made from the commands where absent. */
  readonly takes?: string;
  /** Wrong operands are explained for the one command, rather than for all of the noun. */
  readonly explainsEach?: true;
  readonly commands: readonly OperatorCommand[];
}

/**
 * Lets the compiler check a command's own functions against its parameters and its answer. In the list they are any
 * command's: what calls them has parsed the parameters by the command's table.
 */
export function operatorCommand<const T extends CommandParameters, A extends object>(
  command: OperatorCommand<T, A>,
): OperatorCommand {
  return command as unknown as OperatorCommand;
}

/** `1 session is`, `2 sessions are` */
export function count(number: number, one: string, several: string): string {
  return `${number} ${number === 1 ? one : several}`;
}
