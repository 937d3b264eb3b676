// Parses the arguments of sendmail: the options of Sendmail, Postfix and Exim that programs pass, in getopt's syntax.
// Those that only concern a queue, delivery reports or logging are accepted and have no effect.

import { SendmailError, sysexits } from './sysexits.ts';

export interface SendmailCall {
  /**
   * `submit` takes a message on standard input, `dialogue` SMTP (`-bs`). `nothing`: there is no queue to show or run,
   * and there are no aliases to rebuild.
   */
  readonly mode: 'submit' | 'dialogue' | 'nothing';
  /** `-f` or `-r`; '' for the null sender, undefined when absent. */
  readonly sender: string | undefined;
  /** `-F`. */
  readonly fullName: string | undefined;
  /** `-t`: recipients are also those that the header names. */
  readonly readsHeader: boolean;
  /** Unless `-i` or `-oi`: a line with only a dot ends the message. */
  readonly endsAtDot: boolean;
  /** As given; each may be a list. */
  readonly recipients: readonly string[];
  /** `-S`, as Mailpit's sendmail takes it: host and port. */
  readonly server: string | undefined;
}

/** Options that have a value, in the same word or in the next. */
const withValue = 'ABCFLNORSVXbefhopr';
/** Options whose value, if any, is the rest of their word. */
const withRest = 'dq';
const flags = 'GIUcimnstvx';

type Mode = SendmailCall['mode'];

const modes: Readonly<Record<string, Mode>> = {
  m: 'submit',
  a: 'submit',
  s: 'dialogue',
  p: 'nothing',
  i: 'nothing',
  H: 'nothing',
  h: 'nothing',
};

/** @throws SendmailError usage */
export function parseSendmailArguments(words: readonly string[]): SendmailCall {
  const { options, operands } = splitWords(words);
  const last = (names: string): string | undefined =>
    options.filter(([name]) => names.includes(name)).at(-1)?.[1];
  const has = (name: string, value?: string): boolean =>
    options.some((one) => one[0] === name && (value === undefined || one[1] === value));
  const sender = last('fr');
  return {
    mode: toMode(last('b'), has('q') && operands.length === 0 && !has('t')),
    sender: sender === undefined ? undefined : sender.replace(/^<(.*)>$/, '$1'),
    fullName: last('F'),
    readsHeader: has('t') || has('o', 't'),
    endsAtDot: !has('i') && !has('o', 'i'),
    recipients: operands,
    server: last('S'),
  };
}

function toMode(given: string | undefined, runsQueue: boolean): Mode {
  if (given === undefined) return runsQueue ? 'nothing' : 'submit';
  const mode = modes[given];
  if (mode) return mode;
  throw new SendmailError(sysexits.usage, `-b${given} is not supported.`);
}

type Options = readonly (readonly [name: string, value: string])[];

function splitWords(words: readonly string[]): { options: Options; operands: readonly string[] } {
  const options: [string, string][] = [];
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    const open = takeCluster(word.slice(1), options);
    if (open === undefined) continue;
    at += 1;
    const value = words[at];
    if (value === undefined) throw new SendmailError(sysexits.usage, `-${open} needs a value.`);
    options.push([open, value]);
  }
  return { options, operands };
}

/** Takes the options in one word. Returns the last when its value is the next word. @throws SendmailError usage */
function takeCluster(cluster: string, options: [string, string][]): string | undefined {
  for (let at = 0; at < cluster.length; at++) {
    const name = cluster.charAt(at);
    const rest = cluster.slice(at + 1);
    if (withRest.includes(name)) {
      options.push([name, rest]);
      return undefined;
    }
    if (withValue.includes(name)) {
      if (rest === '') return name;
      options.push([name, rest]);
      return undefined;
    }
    if (!flags.includes(name)) throw new SendmailError(sysexits.usage, `There is no option -${name}.`);
    options.push([name, '']);
  }
  return undefined;
}
