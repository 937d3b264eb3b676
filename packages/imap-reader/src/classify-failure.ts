// Classifies a failed exchange with a mail server: retry soon, retry much later, or stop until the operator acts. Also
// describes it for the operator in one line without secrets.

import type { ImapFlowError } from 'imapflow';

/**
 * `refused`: the login was rejected, and another try may lock the account. `throttled`: the server requests a pause.
 * `broken`: the server's data for one message is unusable. `spent`: the day's byte limit is used up. `failing`: any
 * other temporary failure.
 */
export type FailureKind = 'refused' | 'throttled' | 'broken' | 'spent' | 'failing';

export interface Failure {
  readonly kind: FailureKind;
  /** One line, for the operator. */
  readonly detail: string;
}

/** Thrown by our own code with its classification. */
export class PollFailure extends Error {
  override readonly name = 'PollFailure';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

const detailMaxChars = 200;

/** Temporary response codes of RFC 5530 and RFC 9051, and those added by Gmail and others. */
const passingCodes = new Set([
  'UNAVAILABLE',
  'INUSE',
  'SERVERBUG',
  'LIMIT',
  'THROTTLED',
  'OVERQUOTA',
  'CONTACTADMIN',
]);
/** Permanent ones. */
const refusedCodes = new Set(['AUTHENTICATIONFAILED', 'AUTHORIZATIONFAILED', 'EXPIRED', 'PRIVACYREQUIRED']);
const throttledText =
  /too many (?:simultaneous )?connections|maximum number of connections|bandwidth limit|throttl|over ?quota|rate limit|temporar/i;
/** Parser errors about data that is too large or malformed. */
const brokenCodes =
  /^(?:LiteralTooLarge|LineTooLarge|ResponseTooLarge|ResponseProcessingFailed|ParserError|MAX_IMAP)/;

/** @param secrets removed from the text, including the server's part of it */
export function classifyFailure(error: unknown, secrets: readonly string[] = []): Failure {
  if (error instanceof PollFailure) return { kind: error.kind, detail: toLine(error.message, secrets) };
  const failed = error as Partial<ImapFlowError>;
  const reply = replyOf(failed);
  const kind = kindOf(failed, reply);
  return { kind, detail: toLine(describe(kind, failed, reply), secrets) };
}

function replyOf({ responseText, response, reason }: Partial<ImapFlowError>): string {
  if (reason) return reason;
  return responseText ?? (typeof response === 'string' ? response : '');
}

function kindOf(error: Partial<ImapFlowError>, reply: string): FailureKind {
  const code = error.serverResponseCode?.toUpperCase() ?? /^\[([A-Z-]+)/.exec(reply)?.[1] ?? '';
  if (refusedCodes.has(code)) return 'refused';
  if (error.code === 'ETHROTTLE' || passingCodes.has(code) || throttledText.test(reply)) return 'throttled';
  if (error.authenticationFailed === true || error.message === 'Unsupported authentication mechanism') {
    return 'refused';
  }
  return brokenCodes.test(error.code ?? '') ? 'broken' : 'failing';
}

function describe(kind: FailureKind, error: Partial<ImapFlowError>, reply: string): string {
  const words = reply || (error.message ?? 'unknown');
  if (kind === 'refused') return `The server refused the login: ${words}`;
  if (kind === 'throttled') return `The server throttles the account: ${words}`;
  if (
    error.tlsFailed === true ||
    /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS)/.test(error.code ?? '')
  ) {
    return `TLS failed: ${words}`;
  }
  if (error.reason) return `The server closed the connection: ${words}`;
  if (error.responseStatus) return `The server answered ${error.responseStatus}: ${words}`;
  return error.code === undefined ? words : `${words} (${error.code})`;
}

function toLine(text: string, secrets: readonly string[]): string {
  let line = text;
  for (const secret of secrets) if (secret.length > 0) line = line.replaceAll(secret, '***');
  return line
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, detailMaxChars);
}
