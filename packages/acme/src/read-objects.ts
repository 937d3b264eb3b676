// Reads the objects of a server (RFC 8555 §7.1) into checked types. A server is believed no further than its syntax:
// URLs must be https, lists have a limit, and unknown values are refused.

import { AcmeProtocolError, type RefusedName, toRefusedName } from './problem.ts';

export interface Directory {
  readonly newNonce: string;
  readonly newAccount: string;
  readonly newOrder: string;
  /** RFC 9773; undefined where the server gives no advice. */
  readonly renewalInfo: string | undefined;
  readonly profiles: readonly string[];
  readonly needsExternalAccount: boolean;
}

export type OrderStatus = 'pending' | 'ready' | 'processing' | 'valid' | 'invalid';

export interface Order {
  readonly status: OrderStatus;
  readonly authorizations: readonly string[];
  readonly finalize: string;
  readonly certificate: string | undefined;
  /** As the server gave it. */
  readonly error: unknown;
}

export interface Challenge {
  readonly type: string;
  readonly url: string;
  readonly status: string;
  readonly token: string;
}

export interface Authorization {
  readonly name: string;
  readonly status: 'pending' | 'valid' | 'invalid';
  readonly challenges: readonly Challenge[];
  /** Set when it is invalid. */
  readonly refusal: RefusedName | undefined;
}

type Members = Readonly<Record<string, unknown>>;

const listMax = 200;
/** At least 128 bits in base64url (RFC 8555 §8.3). */
const tokenShape = /^[A-Za-z0-9_-]{16,256}$/;
const orderStatuses: readonly OrderStatus[] = ['pending', 'ready', 'processing', 'valid', 'invalid'];

export function readDirectory(json: unknown): Directory {
  const members = toMembers(json, 'directory');
  const meta = isMembers(members['meta']) ? members['meta'] : {};
  const profiles = isMembers(meta['profiles']) ? Object.keys(meta['profiles']) : [];
  return {
    newNonce: toUrl(members['newNonce'], 'newNonce'),
    newAccount: toUrl(members['newAccount'], 'newAccount'),
    newOrder: toUrl(members['newOrder'], 'newOrder'),
    renewalInfo: toUrlIfAny(members['renewalInfo'], 'renewalInfo'),
    profiles: profiles.slice(0, listMax),
    needsExternalAccount: meta['externalAccountRequired'] === true,
  };
}

export function readOrder(json: unknown): Order {
  const members = toMembers(json, 'order');
  const status = orderStatuses.find((known) => known === members['status']);
  if (!status) throw new AcmeProtocolError('An order has an unknown status.');
  return {
    status,
    authorizations: toList(members['authorizations'], 'authorizations').map((url) =>
      toUrl(url, 'authorization'),
    ),
    finalize: toUrl(members['finalize'], 'finalize'),
    certificate: toUrlIfAny(members['certificate'], 'certificate'),
    error: members['error'],
  };
}

export function readAuthorization(json: unknown): Authorization {
  const members = toMembers(json, 'authorization');
  const { value } = toMembers(members['identifier'], 'identifier');
  if (typeof value !== 'string') throw new AcmeProtocolError('An authorization has no name.');
  const listed = toList(members['challenges'], 'challenges').filter(isMembers);
  const status = toAuthorizationStatus(members['status']);
  const failed = listed.find(({ error }) => isMembers(error))?.['error'];
  return {
    name: value,
    status,
    challenges: listed.flatMap(readChallenge),
    refusal:
      status === 'invalid'
        ? toRefusedName(value, failed ?? { detail: 'It is not valid any more.' })
        : undefined,
  };
}

/** Challenges of kinds without a token are left out: they are none that can be answered here. */
function readChallenge({ type, url, status, token }: Members): Challenge[] {
  if (typeof type !== 'string' || typeof token !== 'string' || !tokenShape.test(token)) return [];
  return [{ type, url: toUrl(url, 'challenge'), status: String(status), token }];
}

/** `deactivated`, `expired` and `revoked` cannot become valid again. */
function toAuthorizationStatus(status: unknown): Authorization['status'] {
  return status === 'pending' || status === 'valid' ? status : 'invalid';
}

/** @throws AcmeProtocolError */
export function toUrl(value: unknown, what: string): string {
  const isUrl = typeof value === 'string' && value.length <= 2048 && URL.canParse(value);
  if (isUrl && new URL(value).protocol === 'https:') return value;
  throw new AcmeProtocolError(`The server gave no https URL for ${what}.`);
}

/** Some servers write null, or nothing, for what is not there yet. */
function toUrlIfAny(value: unknown, what: string): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : toUrl(value, what);
}

function toList(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value) && value.length <= listMax) return value;
  throw new AcmeProtocolError(`The server gave no list of ${what}, or one too long.`);
}

export function toMembers(json: unknown, what: string): Members {
  if (isMembers(json)) return json;
  throw new AcmeProtocolError(`The server gave no ${what}.`);
}

function isMembers(json: unknown): json is Members {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
