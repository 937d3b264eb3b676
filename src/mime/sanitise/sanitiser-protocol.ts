// What the main thread and the sanitiser's worker say to each other. Plain data only.
import type { SafeHtml, RefusedHtml } from './safe-html.ts';
import type { SanitiseInput } from './sanitise-html.ts';

export type SanitiserRequest = SanitiseInput;

export type SanitiserAnswer = SafeHtml | RefusedHtml;
