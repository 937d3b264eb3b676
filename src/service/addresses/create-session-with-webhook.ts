// Creates a session whose events are sent to the caller's URL, where the operator allows that. Called by the HTTP
// interface.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { CreatedSession } from './claim-address.ts';
import { createSession, type CreateSessionDeps, type CreateSessionRequest } from './create-session.ts';
import type { SessionWebhooks } from './session-webhooks.ts';

export interface WebhookDeps {
  /** Undefined when the operator allows no session webhooks. */
  readonly webhooks: SessionWebhooks | undefined;
}

export interface WebhookRequest {
  /** Untrusted. */
  readonly url: string;
  /** The caller's address; '' when no longer known. */
  readonly makerAddress: string;
}

/** @throws MayflyError webhooks_not_allowed, rate_limited, and those of createSession */
export async function createSessionWithWebhook(
  deps: CreateSessionDeps & WebhookDeps,
  request: CreateSessionRequest,
  { url, makerAddress }: WebhookRequest,
): Promise<CreatedSession & { readonly webhookSecret: string }> {
  if (!deps.webhooks) {
    throw new MayflyError('webhooks_not_allowed', 'Webhooks are not allowed here.', {
      parameter: 'webhook_url',
    });
  }
  await deps.webhooks.check(url);
  const created = await createSession(deps, request);
  const webhookSecret = await deps.webhooks.register(created.session.key, url, makerAddress);
  return { ...created, webhookSecret };
}
