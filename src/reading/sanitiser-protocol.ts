// What the main thread and the sanitiser's worker say to each other. Plain data only.
import type { RefusedHtml, SafeHtml, SanitiseInput } from '@mayfly/mail-reader/html';

export type SanitiserRequest = SanitiseInput;

export type SanitiserAnswer = SafeHtml | RefusedHtml;
