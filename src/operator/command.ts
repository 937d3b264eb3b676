// An operator command, declared once: HTTP serves it, the command line offers it, and its help and docs/admin.md are
// generated from it. The commands of a noun share a file; commands.ts lists the nouns.

import type { Actor } from '#audit/entry';
import type { LineNoun, OnCommandLine } from '#command-line/command';
import type { Parameter, ParameterValues } from '#values/parameter';
import type { OperatorDeps } from '../service/operating/operator-deps.ts';
import type { TokenHolder } from '../service/operating/sign-ins.ts';

/** The parts of the service that commands need. */
export interface OperatorContext {
  readonly operator: OperatorDeps;
  readonly health: {
    isReady(): { readonly ready: true } | { readonly ready: false; readonly reason: string };
  };
  readonly version: string;
  /** At which browsers have the operator's page, by the settings; undefined where there is none. */
  readonly pageOrigin?: string | undefined;
  /** The sign-in that a request named; undefined for an admin key, and on the command line. */
  readonly signedIn?: TokenHolder | undefined;
}

interface OfOperator extends OnCommandLine {
  /** Accepted only from the command line, never from the network. */
  readonly isLocal?: true;
}

/** The description also explains the option in the help. */
export type CommandParameter = Parameter & OfOperator;
export type CommandParameters = Readonly<Record<string, CommandParameter>>;

interface Declared<T extends CommandParameters, A extends object> {
  readonly path: `/admin/${string}`;
  /** The words on the command line, e.g. `domain add`; absent when it is not offered there. */
  readonly words?: string;
  /** Describes the command's effect, without a subject, for the help and the docs. */
  readonly help: string;
  /** Available only to the command line, never from the network. */
  readonly isLocal?: true;
  /** Needs no admin key, since what it is given proves enough; a refusal counts as a wrong key. */
  readonly isOpen?: true;
  /** For an open one: as whom the answer lets its caller in. */
  actorOf?(answer: A): Actor;
  readonly parameters: T;
  /** The command line requires exactly one of these parameters. */
  readonly oneOf?: readonly (keyof T & string)[];
  /** Returns the answer as sent in JSON. @throws OperatorError, MayflyError */
  run(context: OperatorContext, parameters: ParameterValues<T>): Promise<A>;
  /** Returns the lines that the command line prints. @throws OperatorError when the answer counts as a failure */
  print(answer: A, parameters: ParameterValues<T>): readonly string[];
}

/** Needs the scope `read`. */
interface Reads {
  readonly method: 'GET';
}

/** Needs the scope `write`, and is noted in the audit (run-command.ts). */
interface Changes<T extends CommandParameters, A extends object> {
  readonly method: 'POST';
  /**
   * Returns what it changes, as the audit names it, and never a secret: before it is done, without an answer, and once it
   * is. `nothing` for one that only looks, and is not noted.
   */
  readonly changes: 'nothing' | ((parameters: ParameterValues<T>, answer?: A) => string);
}

export type OperatorCommand<
  T extends CommandParameters = CommandParameters,
  A extends object = object,
> = Declared<T, A> & (Reads | Changes<T, A>);

/** Commands that begin with the same word. */
export interface Noun extends LineNoun {
  readonly commands: readonly OperatorCommand[];
}

/**
 * Lets the compiler check a command's functions against its parameters and answer. The types are erased in the list,
 * whose users have parsed the parameters by the command's table.
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
