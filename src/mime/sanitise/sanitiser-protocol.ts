// What the main thread and the sanitiser's worker say to each other, one request at a time. Plain data only.
import type { SafeHtml } from './safe-html.ts';
import type { SanitiseInput } from './sanitise-html.ts';

export type SanitiserRequest = SanitiseInput;

/** Null when the markup has no stable form. */
export type SanitiserAnswer = SafeHtml | null;
