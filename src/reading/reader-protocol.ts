// What the main thread and a reader's thread say to each other. One request at a time, one answer to each.
// Plain data only: it crosses threads by structured clone.
import type { BodyContents, FoundLink, ParsedMessage } from '@mayfly/mail-reader';
import type { RefusedHtml, SafeHtml, SanitiseInput } from '@mayfly/mail-reader/html';
import type { MessageGlance } from '../domain/message.ts';

/** The two bodies of a message that was parsed. */
export type Bodies = Pick<ParsedMessage, 'text' | 'html'>;

export type ReaderRequest =
  | { kind: 'parse'; raw: Uint8Array }
  | { kind: 'glance'; heads: readonly Uint8Array[] }
  /** Whether the text holds the part, as holds-text says. */
  | { kind: 'search'; text: string; part: string }
  | { kind: 'contents'; bodies: Bodies }
  /** What a search has to know of a whole message; `parts` are looked for in its readable text. */
  | { kind: 'examine'; raw: Uint8Array; parts: readonly string[] }
  | { kind: 'sanitise'; input: SanitiseInput };

export interface ExaminedMessage {
  /** Whether the text holds each part, as holds-text says. */
  readonly holdsParts: boolean;
  /** Each once. */
  readonly linkKinds: readonly FoundLink['kind'][];
  /** One found with confidence. */
  readonly hasCode: boolean;
}

export type ReaderAnswer =
  | { kind: 'parse'; message: ParsedMessage }
  /** One for each head, in order; fewer when the first ones took long. */
  | { kind: 'glance'; glances: readonly MessageGlance[] }
  | { kind: 'search'; isFound: boolean }
  | { kind: 'contents'; contents: BodyContents }
  | { kind: 'examine'; facts: ExaminedMessage }
  | { kind: 'sanitise'; html: SafeHtml | RefusedHtml };
