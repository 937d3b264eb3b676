// Requests and answers between the main thread and a reader thread, one at a time. Plain data only, because structured
// clone transfers it.
import type { BodyContents, CodeKind, FoundLink, MessageGlance, ParsedMessage } from '@mayfly/mail-reader';
import type { RefusedHtml, SafeHtml, SanitiseInput } from '@mayfly/mail-reader/html';
import type { MailReport } from '../../mail-report/src/report.ts';
import type { ReportInput } from '../../mail-report/src/report-input.ts';

/** The glance at a head, which no thread may have been able to read. */
export type HeadGlance = Omit<MessageGlance, 'hasAttachments'> & {
  /** Null when not all of the message could be read, and no attachment was found in what was. */
  readonly hasAttachments: boolean | null;
  /** Set when not all of the message could be read: a code or more text may follow. */
  readonly isPartial?: true;
  /** Set when another try may read more. */
  readonly isProvisional?: true;
};

/** The two bodies of a parsed message. */
export type Bodies = Pick<ParsedMessage, 'text' | 'html'>;

export type ReaderRequest =
  | { kind: 'parse'; raw: Uint8Array }
  | { kind: 'glance'; heads: readonly Uint8Array[] }
  /** Whether the text contains the part; see holds-text. */
  | { kind: 'search'; text: string; part: string }
  | { kind: 'contents'; bodies: Bodies }
  /** A search in a whole message; `parts` are searched for in its readable text and the names of attachments. */
  | { kind: 'examine'; raw: Uint8Array; parts: readonly string[] }
  | { kind: 'sanitise'; input: SanitiseInput }
  | { kind: 'report'; input: ReportInput }
  /** Mailpit's check of the HTML or of the links. */
  | { kind: 'mailpit'; check: 'html' | 'links'; bodies: Bodies };

export interface ExaminedMessage {
  /** For each part, whether the text contains it; see holds-text. */
  readonly foundParts: readonly boolean[];
  /** Whether it has files that are shown within its text. */
  readonly hasInline: boolean;
  /** Each once. */
  readonly linkKinds: readonly FoundLink['kind'][];
  /** Whether lists show a code. */
  readonly hasCode: boolean;
  /** The kinds of the codes that were found with confidence, each once. */
  readonly codeKinds: readonly CodeKind[];
  /** For lists; null when the parse failed. */
  readonly glance: MessageGlance | null;
}

export type ReaderAnswer =
  | { kind: 'parse'; message: ParsedMessage }
  /** One per head, in order; fewer when the first ones took long. */
  | { kind: 'glance'; glances: readonly HeadGlance[] }
  | { kind: 'search'; isFound: boolean }
  | { kind: 'contents'; contents: BodyContents }
  | { kind: 'examine'; facts: ExaminedMessage }
  | { kind: 'sanitise'; html: SafeHtml | RefusedHtml }
  | { kind: 'report'; report: MailReport }
  /** Undefined for HTML that is too large to be checked. */
  | { kind: 'mailpit'; json: string | undefined };
