// Webhooks of sessions: validates the URL, limits endpoints per host, creates the secret and registers the endpoint.
// Nothing is sent before the host has echoed a signed challenge (webhooks/).

import { createHash, createHmac } from 'node:crypto';

import { toWideNetwork } from '#networks/client-network';
import { parseTargetUrl } from '#networks/safe-fetch';
import { SafeFetchError } from '#networks/safe-fetch-error';
import { createWebhookSecret } from '#notifications/webhook-signature';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { SessionKey } from '../../domain/session.ts';
import { sealBytes, tryOpenSealed } from '#sealing/seal';
import { deriveServerKey } from '#sealing/server-key';
import type { EndpointStatus, JobsStore } from '../../store/jobs-store.ts';

export interface SessionWebhooksOptions {
  readonly jobs: JobsStore;
  readonly serverKey: Uint8Array;
  readonly schemes: readonly ('http' | 'https')[];
  readonly ports: readonly number[];
  /** The most active endpoints on one host; Infinity for no limit. */
  readonly endpointsPerHost: number;
}

/** The URL and its secret, sealed in the store. */
export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

/** As its holder may see it. */
export type SessionWebhook = EndpointStatus;

export interface SessionWebhooks {
  /**
   * Checks, before the session is created, whether the URL may be used.
   * @throws MayflyError invalid_parameter, rate_limited
   */
  check(url: string): Promise<void>;
  /** Registers a checked URL for a new session created by `makerAddress`. Returns the secret. */
  register(key: SessionKey, url: string, makerAddress: string): Promise<string>;
  /** Resolves with undefined when the session has none. */
  find(key: SessionKey): Promise<SessionWebhook | undefined>;
}

const retrySeconds = 60;

export function createSessionWebhooks(options: SessionWebhooksOptions): SessionWebhooks {
  const { jobs, serverKey, endpointsPerHost } = options;
  return {
    async check(url) {
      const { hostname } = parseUrl(url, options);
      if ((await jobs.countEndpoints(tagOf(hostname))) < endpointsPerHost) return;
      throw new MayflyError('rate_limited', 'Too many sessions send to this host.', {
        parameter: 'webhook_url',
        retryAfterSeconds: retrySeconds,
      });
    },
    async register(key, url, makerAddress) {
      const target: WebhookTarget = { url, secret: createWebhookSecret() };
      const sealingKey = deriveServerKey(serverKey, 'webhook', key);
      const sealed = sealBytes(sealingKey, 'webhook', Buffer.from(JSON.stringify(target)));
      const { hostname } = parseUrl(url, options);
      const makerTag = makerTagOf(serverKey, makerAddress);
      if (await jobs.addEndpoint({ key, sealed, hostTag: tagOf(hostname), makerTag })) return target.secret;
      throw new MayflyError('session_expired', 'The session ended while it was being created.');
    },
    find: (key) => jobs.findEndpoint(key),
  };
}

/** Returns undefined when it was sealed under another key or for another session, or altered. */
export function openWebhookTarget(
  serverKey: Uint8Array,
  key: SessionKey,
  sealed: Uint8Array,
): WebhookTarget | undefined {
  const opened = tryOpenSealed(deriveServerKey(serverKey, 'webhook', key), 'webhook', sealed);
  return opened && (JSON.parse(opened.toString()) as WebhookTarget);
}

function parseUrl(url: string, options: SessionWebhooksOptions): URL {
  try {
    return parseTargetUrl(url, options);
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error;
    throw new MayflyError('invalid_parameter', `\`webhook_url\` cannot be used: ${error.message}`, {
      parameter: 'webhook_url',
    });
  }
}

function tagOf(hostname: string): Buffer {
  return createHash('sha256').update(hostname.replace(/\.$/, '')).digest();
}

/**
 * Returns a tag that distinguishes networks (a /24 or /48), but reveals nothing else about them without the server's key. Undefined
 * when the address is unknown.
 */
function makerTagOf(serverKey: Uint8Array, address: string): Buffer | undefined {
  if (address === '') return undefined;
  const network = toWideNetwork(address);
  return createHmac('sha256', serverKey).update(`mayfly webhook maker ${network}`).digest().subarray(0, 16);
}
