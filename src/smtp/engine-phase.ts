// Where the engine is in a dialogue, and what it waits to be answered. The engine's own; nothing else looks at it.

import type { MailCommand } from './parse-path.ts';

/**
 * `body`: octets of DATA or of a chunk are being taken. `swallow`: octets of a refused chunk are dropped.
 * `waiting`: a step is to be answered.
 */
export type Phase = 'command' | 'body' | 'swallow' | 'waiting' | 'closed';

/** The step that is to be answered, with what it is about. */
export type Asked =
  | { readonly kind: 'transaction'; readonly mail: MailCommand }
  | { readonly kind: 'recipient'; readonly text: string }
  | {
      readonly kind: 'body';
      readonly maxBytes: number;
      readonly chunk: { sizeBytes: number; isLast: boolean } | undefined;
    }
  | { readonly kind: 'message' | 'tls' };
