// Errors returned by tools. All texts are constants here: none quotes a mail, a handle, a token or a URL.

import { MayflyError, MayflyUnreachable } from 'mayfly-client';

const texts = {
  unknown_handle:
    'This handle is not valid here. Use one that create_inbox of this server returned to the same caller.',
  inbox_ended: 'The inbox has expired or was ended. Create another with create_inbox.',
  too_many_inboxes: 'Ten inboxes are open already. End one with end_inbox, or wait until one expires.',
  too_many_calls: 'Too many calls are running. Try again when one has ended.',
  too_many_callers: 'The server cannot serve another caller now. Try again later.',
  message_not_found: 'The inbox has no message with this id; list_messages shows the ids.',
  message_unreadable: 'The message could not be read within the limits of time and memory.',
  address_taken: 'The address is taken. Choose another prefix, or none.',
  invalid_prefix: 'The service does not accept this prefix.',
  unknown_domain: 'The service has no such domain.',
  invalid_lifetime: 'The service does not allow this lifetime.',
  bad_api_key: 'The service rejected the API key, or requires one.',
  rate_limited: 'The service received too many requests. Try again later.',
  unavailable: 'The service is not available now. Try again later.',
  unreachable: 'The service cannot be reached.',
  refused: 'The service refused the request.',
  cancelled: 'The call was cancelled.',
  failed: 'The call failed within the MCP server; its log names the kind of error.',
} as const;

export type RefusalCode = keyof typeof texts;

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, options?: ErrorOptions) {
    super(`${code}: ${texts[code]}`, options);
    this.code = code;
  }
}

/** The service's code → the code for a caller. */
const codes: Readonly<Record<string, RefusalCode>> = {
  unknown_token: 'inbox_ended',
  session_expired: 'inbox_ended',
  message_not_found: 'message_not_found',
  address_taken: 'address_taken',
  invalid_prefix: 'invalid_prefix',
  reserved_prefix: 'invalid_prefix',
  unknown_domain: 'unknown_domain',
  domain_not_found: 'unknown_domain',
};

/** Returns the part of an error that a caller may see. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof MayflyUnreachable) return new Refusal('unreachable', { cause: error });
  if (!(error instanceof MayflyError)) return new Refusal('failed', { cause: error });
  return new Refusal(codes[error.code] ?? byParameter(error) ?? byStatus(error.status), { cause: error });
}

function byParameter({ parameter }: MayflyError): RefusalCode | undefined {
  if (parameter === 'lifetime') return 'invalid_lifetime';
  return parameter === 'prefix' ? 'invalid_prefix' : undefined;
}

function byStatus(status: number): RefusalCode {
  if (status === 401 || status === 403) return 'bad_api_key';
  if (status === 410) return 'inbox_ended';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'unavailable' : 'refused';
}
