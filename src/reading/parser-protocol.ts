// What the main thread and a parser worker say to each other. One request at a time, one answer to each.
// Plain data only: it crosses threads by structured clone.
import type { ParsedMessage } from '@mayfly/mail-reader';
import type { MessageGlance } from '../domain/message.ts';

export type ParserRequest =
  | { kind: 'parse'; raw: Uint8Array }
  | { kind: 'glance'; heads: readonly Uint8Array[] }
  /** Whether the text holds the part, as holds-text says. */
  | { kind: 'search'; text: string; part: string };

export type ParserAnswer =
  | { kind: 'parse'; message: ParsedMessage }
  /** One for each head, in order; fewer when the first ones took long. */
  | { kind: 'glance'; glances: readonly MessageGlance[] }
  | { kind: 'search'; isFound: boolean };
