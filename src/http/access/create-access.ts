// Implements the access rules from settings, keys and block lists.

import type { RateDecision } from '#networks/gcra-limiter';
import type { NetworkLimiter } from '#networks/network-limiter';
import type { Challenges, Redemption } from '#networks/challenge';
import type { CallerScope } from '../../domain/api-key.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { BlockList } from '../../service/operating/block-list.ts';
import type { KeyHolder, Keyring } from '../../service/operating/keyring.ts';
import type { SessionCaps } from '../../service/addresses/session-caps.ts';
import type { Caller } from '../caller.ts';
import { rateLimited } from '../answers/rate-limited.ts';
import type { Access, CreateAttempt } from './access.ts';
import { type CreateRate, CreateRates } from './create-rates.ts';
import { formatPolicies, formatRate } from './rate-fields.ts';
import { RequestRate } from './request-rates.ts';

/** Infinity for no limit. */
export interface AccessRates {
  readonly createsPerMinute: number;
  readonly createsPerDay: number;
  readonly keyCreatesPerMinute: number;
  readonly requestsPerMinute: number;
  readonly linkRequestsPerMinute: number;
  readonly authFailuresPerMinute: number;
  /** False lifts the rates of individual keys. */
  readonly limitsKeys: boolean;
}

export interface AccessOptions {
  readonly rates: AccessRates;
  readonly isKeyRequired: boolean;
  /** By client network, shared with other listeners; created from the rates when absent. */
  readonly wrongCredentials: Pick<NetworkLimiter, 'take' | 'look'>;
  readonly keyring: Pick<Keyring, 'use'>;
  readonly blocks: Pick<BlockList, 'isNetworkBlocked' | 'isPrefixBlocked'>;
  /** Undefined when none are required. */
  readonly challenges: Challenges | undefined;
  readonly caps: SessionCaps;
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

export function createAccess(options: AccessOptions): Access {
  const { rates, challenges, caps, clock } = options;
  const ofTokens = new RequestRate('request', rates.requestsPerMinute, clock);
  const ofLinks = new RequestRate('link', rates.linkRequestsPerMinute, clock);
  const { recordWrongCredential, requireTries } = createWrongTries(options);
  const takeAddress = createAddressRate(options);

  return {
    takeRequest(caller, { key }, by) {
      (by === 'token' ? ofTokens : ofLinks).take(caller, key);
    },
    recordWrongCredential,
    requireTries,
    async admitCreate(caller, attempt) {
      const holder = readKey(options, caller, recordWrongCredential);
      if (holder) requireScopes(holder, attempt, caller);
      else if (attempt.wantsCapture === true && !caller.isLocal) throw captureNeedsKey();
      takeAddress(caller, holder, attempt.prefix);
      if (challenges && !holder) requireSolution(challenges, attempt.challenge);
      const address = holder ? null : caller.address;
      await caps.check(address);
      return {
        recordMade: (session) => {
          caps.recordMade(address, session);
        },
      };
    },
    admitRename(caller, prefix) {
      // The holder of a session needs no key; a key only selects its own rate.
      const holder = readKey({ ...options, isKeyRequired: false }, caller, recordWrongCredential);
      if (holder) requireScopes(holder, ofRename, caller);
      takeAddress(caller, holder, prefix);
    },
    recordChanged(session, expiresAt) {
      caps.recordChanged(session, expiresAt);
    },
    issueChallenge(caller) {
      const holder = readKey({ ...options, isKeyRequired: false }, caller, recordWrongCredential);
      return holder ? undefined : challenges?.issue();
    },
  };
}

/** Counts wrong tokens, keys and passwords by network. */
function createWrongTries({
  rates: { authFailuresPerMinute: count },
  wrongCredentials: wrong,
}: AccessOptions): Pick<Access, 'recordWrongCredential' | 'requireTries'> {
  const name = 'wrong-credential';
  const policy = formatPolicies([{ name, count, periodMs: 60_000 }]);
  const require = (caller: Caller, decision: RateDecision): void => {
    if (decision.isAllowed) return;
    caller.addFields({ ratelimit: formatRate(name, decision), 'ratelimit-policy': policy });
    const message = 'Too many wrong tokens, keys or passwords from your address.';
    throw rateLimited(message, decision.retryAfterMs);
  };
  return {
    recordWrongCredential: (caller) => {
      require(caller, wrong.take(caller.network));
    },
    requireTries: (caller) => {
      require(caller, wrong.look(caller.network));
    },
  };
}

type TakeAddress = (caller: Caller, holder: KeyHolder | undefined, prefix: string | undefined) => void;

/** Counts a request for an address. @throws MayflyError blocked_network, rate_limited, reserved_prefix */
function createAddressRate({ rates, blocks, clock }: AccessOptions): TakeAddress {
  const creates = new CreateRates({
    perMinute: rates.createsPerMinute,
    perDay: rates.createsPerDay,
    perMinuteOfKey: rates.keyCreatesPerMinute,
    limitsKeys: rates.limitsKeys,
    clock,
  });
  return (caller, holder, prefix) => {
    if (blocks.isNetworkBlocked(caller.address)) {
      throw new MayflyError('blocked_network', 'The operator gives no addresses to your network.');
    }
    const rate: CreateRate = holder ? creates.takeKey(holder) : creates.takeAddress(caller.address);
    if (rate.fields) caller.addFields(rate.fields);
    if (rate.retryAfterMs > 0) throw rateLimited('Too many sessions were requested.', rate.retryAfterMs);
    if (prefix !== undefined && blocks.isPrefixBlocked(prefix)) throw reservedPrefix();
  };
}

/** Returns undefined without a key. @throws MayflyError invalid_api_key, rate_limited */
function readKey(
  { isKeyRequired, keyring }: AccessOptions,
  caller: Caller,
  recordWrong: (caller: Caller) => void,
): KeyHolder | undefined {
  const { apiKey } = caller;
  if (apiKey === undefined) {
    if (isKeyRequired) throw invalidKey('Sessions require an API key here, in `X-Api-Key`.');
    return undefined;
  }
  const holder = keyring.use(apiKey, 'caller');
  if (holder) return holder;
  recordWrong(caller);
  throw invalidKey('The API key in `X-Api-Key` is wrong or revoked.');
}

type Wishes = Pick<CreateAttempt, 'wantsGmail' | 'wantsWebhook' | 'wantsCapture'>;

const ofRename: Wishes = { wantsGmail: false, wantsWebhook: false };

function requireScopes(
  { scopes }: KeyHolder,
  { wantsGmail, wantsWebhook, wantsCapture }: Wishes,
  { isLocal }: Caller,
): void {
  const wanted: CallerScope[] = wantsCapture === true ? (isLocal ? [] : ['capture']) : ['create'];
  if (wantsGmail) wanted.push('gmail');
  if (wantsWebhook) wanted.push('webhook');
  const missing = wanted.find((scope) => !scopes.has(scope));
  if (missing === undefined) return;
  throw new MayflyError('insufficient_scope', `The API key does not have the scope \`${missing}\`.`);
}

const refusals: Readonly<Record<Exclude<Redemption, 'accepted' | 'crowded'>, string>> = {
  malformed: 'The solution in `challenge` is not in the form of ALTCHA: base64 of its JSON.',
  wrong: 'The solution in `challenge` is wrong or from another server.',
  expired: 'The challenge is past its five minutes; get a new one.',
  used: 'The solution in `challenge` was used before; each is valid once.',
};

/** @throws MayflyError challenge_required, unavailable */
function requireSolution(challenges: Challenges, solution: string | undefined): void {
  const parameter = { parameter: 'challenge' };
  if (solution === undefined) {
    const message = 'Solve the challenge from GET /challenge and send the solution as `challenge`.';
    throw new MayflyError('challenge_required', message, parameter);
  }
  const redemption = challenges.redeem(solution);
  if (redemption === 'accepted') return;
  if (redemption === 'crowded') {
    throw new MayflyError('unavailable', 'Too many challenges are being solved; try again soon.', {
      retryAfterSeconds: 60,
    });
  }
  throw new MayflyError('challenge_required', refusals[redemption], parameter);
}

function captureNeedsKey(): MayflyError {
  return new MayflyError(
    'api_key_required',
    'Capture sessions require an API key with the scope `capture`, in `X-Api-Key`, except for a program on the machine ' +
      'itself that calls a loopback host directly, while no public URL is set.',
  );
}

function invalidKey(message: string): MayflyError {
  return new MayflyError('invalid_api_key', message);
}

function reservedPrefix(): MayflyError {
  return new MayflyError('reserved_prefix', 'This prefix is reserved; choose another one.', {
    parameter: 'prefix',
  });
}
