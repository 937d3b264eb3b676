// What the main thread and a parser worker say to each other. One request at a time, one answer to each.
// Plain data only: it crosses threads by structured clone.
import type { MessageGlance } from '../domain/message.ts';
import type { ParsedMessage } from './parsed.ts';

export type ParserRequest =
  { kind: 'parse'; raw: Uint8Array } | { kind: 'glance'; heads: readonly Uint8Array[] };

export type ParserAnswer =
  | { kind: 'parse'; message: ParsedMessage }
  /** One for each head, in order. */
  | { kind: 'glance'; glances: readonly MessageGlance[] };

/** `ready` comes once, when the worker's code is loaded; from then on time is counted against the sender. */
export type WorkerReport<Answer> =
  { kind: 'ready' } | { kind: 'answer'; answer: Answer } | { kind: 'error'; message: string };
