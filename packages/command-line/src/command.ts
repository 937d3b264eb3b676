// A command on the command line: its words, help and parameters, from which parser, help and completion are made.

interface Described {
  /** Explains an option in the help. */
  readonly description: string;
  readonly required?: true;
}

type ValueKind =
  | { readonly kind: 'int'; readonly min: number; readonly max: number }
  | { readonly kind: 'flag' }
  | { readonly kind: 'text'; readonly pattern?: string }
  /** An instant, or a duration, which the command parses. */
  | { readonly kind: 'time' | 'duration' }
  | { readonly kind: 'choice'; readonly values: readonly string[] };

/** The form of a parameter that is not an operand. */
export interface LineOption {
  /** Without dashes. */
  readonly name: string;
  /** The placeholder of its value in the help, e.g. `SECONDS`; a flag has none, a choice lists its values. */
  readonly value?: string;
  /** For a flag: the option with the opposite meaning. */
  readonly opposite?: string;
  /** Describes the value when its parameter's kind says too little; ends the sentence "--rate takes …". */
  readonly takes?: string;
  /** May be repeated; the values are joined by commas. */
  readonly repeats?: true;
  /**
   * The option names a file, whose content this function converts to the parameter's value: every user of the machine
   * can read arguments. It throws an error that never quotes the content.
   */
  readonly readContent?: (content: string, file: string) => string;
}

export interface OnCommandLine {
  /** The operand's name in the help, e.g. `NAME`. */
  readonly operand?: string;
  readonly option?: LineOption;
}

export type LineParameter = Described & ValueKind & OnCommandLine;

export interface LineCommand {
  /** Such as `domain add`; absent when it is not offered on the command line. */
  readonly words?: string;
  /** Describes the command's effect, without a subject. */
  readonly help: string;
  readonly parameters: Readonly<Record<string, LineParameter>>;
  /** Exactly one of these parameters is required. */
  readonly oneOf?: readonly string[];
  /** Describes the words that it takes after `--`, as help shows them; takes none when absent. */
  readonly rest?: string;
  /** Describes words that it parses itself, in another program's syntax: all that follow. */
  readonly ownWords?: string;
}

/** Commands that begin with the same word. */
export interface LineNoun {
  readonly word: string;
  /** Describes the arguments after the word; derived from the commands when absent. */
  readonly takes?: string;
  /** Explains wrong operands for the one command instead of the whole noun. */
  readonly explainsEach?: true;
  readonly commands: readonly LineCommand[];
}

/** Values by parameter, without absent ones. */
export type Given = Readonly<Record<string, string | number | boolean>>;
