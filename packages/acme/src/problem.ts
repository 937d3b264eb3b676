// Why a server refused: a problem document (RFC 7807, RFC 8555 §6.7), or an answer that breaks the protocol.

/** At most this much of a server's text is kept. */
const detailMaxChars = 300;

/** One name of an order, and why the server refused it. */
export interface RefusedName {
  readonly name: string;
  readonly type: string;
  readonly detail: string;
}

export interface ProblemParts {
  /** Without `urn:ietf:params:acme:error:`; other types are kept whole. `''` when the server gave none. */
  readonly type: string;
  readonly detail: string;
  /** The HTTP status; 0 for a problem within a successful answer, such as a failed validation. */
  readonly status: number;
  readonly names: readonly RefusedName[];
  /** How long the server wants to be left alone. */
  readonly retryAfterMs: number | undefined;
}

export class AcmeProblem extends Error implements ProblemParts {
  override readonly name = 'AcmeProblem';
  readonly type: string;
  readonly detail: string;
  readonly status: number;
  readonly names: readonly RefusedName[];
  readonly retryAfterMs: number | undefined;

  constructor({ type, detail, status, names, retryAfterMs }: ProblemParts) {
    const ofNames = names.map((refused) => `${refused.name}: ${refused.detail || refused.type}`);
    super([detail || type || `The server answered ${status}.`, ...ofNames].join(' '));
    this.type = type;
    this.detail = detail;
    this.status = status;
    this.names = names;
    this.retryAfterMs = retryAfterMs;
  }
}

/** An answer that no ACME server may give. */
export class AcmeProtocolError extends Error {
  override readonly name = 'AcmeProtocolError';
}

const prefix = 'urn:ietf:params:acme:error:';

/** Reads a problem document; anything else gives one without type and detail. */
export function readProblem(
  json: unknown,
  { status, retryAfterMs }: Pick<ProblemParts, 'status' | 'retryAfterMs'>,
): AcmeProblem {
  const members = toMembers(json);
  const subproblems = Array.isArray(members['subproblems']) ? members['subproblems'] : [];
  return new AcmeProblem({
    type: toType(members['type']),
    detail: toText(members['detail']),
    status,
    retryAfterMs,
    names: subproblems.slice(0, 100).flatMap((each) => toRefused(each)),
  });
}

/** Reads the error of one authorization or challenge. */
export function toRefusedName(name: string, error: unknown): RefusedName {
  const members = toMembers(error);
  return { name, type: toType(members['type']), detail: toText(members['detail']) };
}

function toRefused(json: unknown): RefusedName[] {
  const members = toMembers(json);
  const { value } = toMembers(members['identifier']);
  return typeof value === 'string' ? [toRefusedName(toText(value), json)] : [];
}

function toType(value: unknown): string {
  return toText(value).replace(prefix, '');
}

/** One line, without control characters: it is shown to the operator. */
function toText(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value.slice(0, detailMaxChars).replaceAll(/\p{Cc}+/gu, ' ');
}

function toMembers(json: unknown): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>) : {};
}
