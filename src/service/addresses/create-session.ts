// Creates a session: picks a domain, generates or validates the local part, claims the address and returns the token.
// Called by the HTTP interface.

import type { OnFull } from '../../domain/addresses/capture.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { parsePrefix } from '../../domain/addresses/prefix.ts';
import type { DirectoryStore } from '../../store/directory-store.ts';
import { chooseDomains, claimOneOf, type Naming } from './choose-address.ts';
import { claimAddress, type CreatedSession } from './claim-address.ts';
import { createCaptureSession } from './create-capture-session.ts';
import type { GmailAliasDeps, GmailAliasRequest } from './create-gmail-alias.ts';
import { expectMail, type ReadThreads } from '../session/expect-reads.ts';
import { parseLifetimeMs } from '../session/lifetime.ts';

export interface CreateSessionRequest extends Omit<GmailAliasRequest, 'gmailOnly'> {
  /** Untrusted; checked here. */
  readonly prefix?: string | undefined;
  /** For a random name at a domain; Gmail aliases have forms of their own. */
  readonly style?: Naming['style'];
  readonly useGmail?: boolean | undefined;
  readonly lifetimeSeconds?: number | undefined;
  /** Requests a capture session; the parameters that choose an address are ignored in that case. */
  readonly wantsCapture?: boolean | undefined;
  /** For a capture session. */
  readonly onFull?: OnFull | undefined;
}

export interface CreateSessionDeps extends GmailAliasDeps, ReadThreads {
  readonly directory: DirectoryStore;
}

/**
 * @throws MayflyError invalid_prefix, reserved_prefix, invalid_parameter, conflicting_parameters, unknown_domain,
 * unknown_gmail_account, address_taken, no_domain_available, no_gmail_account_available
 */
export async function createSession(
  deps: CreateSessionDeps,
  request: CreateSessionRequest,
): Promise<CreatedSession> {
  if (request.wantsCapture === true) return createCaptureSession(deps, request);
  const created = await claim(deps, request);
  expectMail(deps, created.session);
  return created;
}

async function claim(deps: CreateSessionDeps, request: CreateSessionRequest): Promise<CreatedSession> {
  const lifetimeMs = parseLifetimeMs(deps.limits, request.lifetimeSeconds);
  const prefix = request.prefix === undefined ? undefined : parsePrefix(request.prefix);
  if (wantsGmail(request)) {
    // Loaded with the first alias.
    const { createGmailAlias } = await import('./create-gmail-alias.ts');
    return createGmailAlias(deps, request, { prefix, lifetimeMs });
  }
  const domains = await chooseDomains(deps.directory, request.domainId);
  const naming = { prefix, style: request.style, isKeyRequired: deps.limits.isKeyRequired };
  return claimOneOf(domains, naming, (chosen) => claimAddress(deps, { ...chosen, lifetimeMs }));
}

function wantsGmail(request: CreateSessionRequest): boolean {
  const { useGmail, gmailAuto, gmailId } = request;
  if (gmailAuto && gmailId !== undefined) {
    throw new MayflyError('conflicting_parameters', '`gmail_auto` and `gmail_id` exclude each other.', {
      parameter: 'gmail_auto',
    });
  }
  if (gmailAuto && useGmail === false) {
    throw new MayflyError('conflicting_parameters', '`use_gmail=0` and `gmail_auto=1` exclude each other.', {
      parameter: 'gmail_auto',
    });
  }
  return useGmail === true || gmailAuto === true;
}
