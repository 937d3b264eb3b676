// What a failed exchange with a mail server means for the account: try again soon, try again much later, or stop until
// the operator has done something. And one line for the operator, without secrets. Called by the pollers and the test.

import type { ImapFlowError } from 'imapflow';

/**
 * `refused`: the login is not accepted, and a try more may lock the account. `throttled`: the server asks for patience.
 * `broken`: what the server sent for one message cannot be taken. `spent`: the day's bytes are used up. `failing`:
 * anything else that passes.
 */
export type FailureKind = 'refused' | 'throttled' | 'broken' | 'spent' | 'failing';

export interface Failure {
  readonly kind: FailureKind;
  /** One line, for the operator. */
  readonly detail: string;
}

/** Raised by our own code, with what is to be made of it. */
export class PollFailure extends Error {
  override readonly name = 'PollFailure';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

const detailMaxChars = 200;

/** Response codes of RFC 5530 and RFC 9051 that pass by themselves, and those that Gmail and others add. */
const passingCodes = new Set([
  'UNAVAILABLE',
  'INUSE',
  'SERVERBUG',
  'LIMIT',
  'THROTTLED',
  'OVERQUOTA',
  'CONTACTADMIN',
]);
/** And those that do not. */
const refusedCodes = new Set(['AUTHENTICATIONFAILED', 'AUTHORIZATIONFAILED', 'EXPIRED', 'PRIVACYREQUIRED']);
const throttledText =
  /too many (?:simultaneous )?connections|maximum number of connections|bandwidth limit|throttl|over ?quota|rate limit|temporar/i;
/** A parser's word that bytes are too many or make no sense. */
const brokenCodes =
  /^(?:LiteralTooLarge|LineTooLarge|ResponseTooLarge|ResponseProcessingFailed|ParserError|MAX_IMAP)/;

/** @param secrets never to be shown, whoever wrote them into an error text */
export function classifyFailure(error: unknown, secrets: readonly string[] = []): Failure {
  if (error instanceof PollFailure) return { kind: error.kind, detail: toLine(error.message, secrets) };
  const failed = error as Partial<ImapFlowError>;
  const said = saidBy(failed);
  const kind = kindOf(failed, said);
  return { kind, detail: toLine(describe(kind, failed, said), secrets) };
}

function saidBy({ responseText, response, reason }: Partial<ImapFlowError>): string {
  if (reason) return reason;
  return responseText ?? (typeof response === 'string' ? response : '');
}

function kindOf(error: Partial<ImapFlowError>, said: string): FailureKind {
  const code = error.serverResponseCode?.toUpperCase() ?? /^\[([A-Z-]+)/.exec(said)?.[1] ?? '';
  if (refusedCodes.has(code)) return 'refused';
  if (error.code === 'ETHROTTLE' || passingCodes.has(code) || throttledText.test(said)) return 'throttled';
  if (error.authenticationFailed === true || error.message === 'Unsupported authentication mechanism') {
    return 'refused';
  }
  return brokenCodes.test(error.code ?? '') ? 'broken' : 'failing';
}

function describe(kind: FailureKind, error: Partial<ImapFlowError>, said: string): string {
  const words = said || (error.message ?? 'unknown');
  if (kind === 'refused') return `The server refused the login: ${words}`;
  if (kind === 'throttled') return `The server asks for patience: ${words}`;
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
