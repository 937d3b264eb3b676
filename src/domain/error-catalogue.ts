// Lists all errors that callers of the HTTP interface can get: stable code → status and cause. docs/errors.md is
// generated from it. A code is never renamed or reused.

interface CatalogueEntry {
  /** HTTP status code. */
  readonly http: number;
  /** When the error occurs, for the docs. */
  readonly when: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
}

export const errorCatalogue = {
  missing_parameter: { http: 400, when: 'a required parameter is absent or empty', retryable: false },
  invalid_parameter: {
    http: 400,
    when: 'a parameter has the wrong type or is out of range',
    retryable: false,
  },
  conflicting_parameters: {
    http: 400,
    when: 'one parameter is given twice with different values, or two parameters exclude each other',
    retryable: false,
  },
  malformed_request: {
    http: 400,
    when: 'the request is not valid HTTP/1.1, has no Host or several, or an unreadable path',
    retryable: false,
  },
  malformed_body: { http: 400, when: 'the request body does not parse', retryable: false },
  invalid_prefix: {
    http: 400,
    when: 'the prefix is not an allowed local part, or the address would exceed 64 octets before the @',
    retryable: false,
  },
  webhooks_not_allowed: {
    http: 400,
    when: '`webhook_url` is given where the operator has not allowed it (the default)',
    retryable: false,
  },
  missing_token: { http: 401, when: 'no session token is given', retryable: false },
  unknown_token: { http: 401, when: 'the token belongs to no session', retryable: false },
  wrong_password: {
    http: 401,
    when: 'no live session has this address and this password',
    retryable: false,
  },
  invalid_api_key: {
    http: 401,
    when: 'the API key is wrong or revoked, or absent where the operator requires one',
    retryable: false,
  },
  api_key_required: {
    http: 401,
    when: '`capture=1` is requested from another machine without an API key of the scope `capture`',
    retryable: false,
  },
  challenge_required: {
    http: 401,
    when: 'the operator requires a solved challenge and it is absent, wrong, old or used',
    retryable: false,
  },
  capture_only: { http: 403, when: 'the session is not a capture session', retryable: false },
  insufficient_scope: { http: 403, when: 'the API key lacks the required scope', retryable: false },
  read_only: { http: 403, when: 'the token is of a share, which may only read', retryable: false },
  blocked_network: {
    http: 403,
    when: 'the operator gives no addresses to the caller’s network',
    retryable: false,
  },
  foreign_origin: {
    http: 403,
    when: 'a page of another site made the browser call the listener for dialects, or could have by such a GET',
    retryable: false,
  },
  reserved_prefix: {
    http: 403,
    when: 'the prefix is reserved: postmaster, abuse, admin and the like',
    retryable: false,
  },
  unknown_domain: { http: 404, when: 'no active domain has this id', retryable: false },
  unknown_gmail_account: { http: 404, when: 'no active Gmail account has this id', retryable: false },
  message_not_found: {
    http: 404,
    when: 'the message is unknown, deleted or in another session',
    retryable: false,
  },
  attachment_not_found: { http: 404, when: 'the message has no attachment with this id', retryable: false },
  share_not_found: { http: 404, when: 'the session has no share with this id', retryable: false },
  not_found: { http: 404, when: 'there is nothing at this path', retryable: false },
  method_not_allowed: {
    http: 405,
    when: 'the path exists, the method does not; see `Allow`',
    retryable: false,
  },
  request_timeout: { http: 408, when: 'the request did not arrive in time', retryable: true },
  address_taken: {
    http: 409,
    when: 'a live session holds the address, or it is in quarantine',
    retryable: false,
  },
  address_is_fixed: {
    http: 409,
    when: 'the session has an alias of a Gmail account or captures mail: it keeps its address',
    retryable: false,
  },
  session_full: {
    http: 409,
    when: 'the session holds as many messages or bytes as it may: delete some first',
    retryable: false,
  },
  too_many_shares: { http: 409, when: 'the session has reached its limit of shares', retryable: false },
  command_refused: {
    http: 409,
    when: 'an operator’s command cannot be carried out; the message says why',
    retryable: false,
  },
  session_expired: {
    http: 410,
    when: 'the session has ended within the last 24 h; or a ticket has expired',
    retryable: false,
  },
  body_too_large: { http: 413, when: 'the request body exceeds the limit', retryable: false },
  unsupported_media_type: {
    http: 415,
    when: 'the body has an unsupported content type',
    retryable: false,
  },
  wrong_host: { http: 421, when: 'the Host header names a host that is not served here', retryable: false },
  rate_limited: { http: 429, when: 'too many requests; see `Retry-After`', retryable: true },
  too_many_sessions: { http: 429, when: 'too many live sessions; see `Retry-After`', retryable: true },
  too_many_streams: { http: 429, when: 'too many open event streams; see `Retry-After`', retryable: true },
  too_many_connections: {
    http: 429,
    when: 'too many connections or requests under way from the caller’s network; see `Retry-After`',
    retryable: true,
  },
  too_many_unread: {
    http: 429,
    when: 'answers of the session, or to the caller’s network, are not read yet; read them first',
    retryable: true,
  },
  headers_too_large: { http: 431, when: 'request line and header fields exceed 16 KB', retryable: false },
  internal_error: {
    http: 500,
    when: 'an internal failure; the log has it under `request_id`',
    retryable: true,
  },
  no_domain_available: { http: 503, when: 'no domain is active', retryable: true },
  no_gmail_account_available: { http: 503, when: 'no Gmail account is active and healthy', retryable: true },
  unavailable: { http: 503, when: 'the store is down or the service is shutting down', retryable: true },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;
