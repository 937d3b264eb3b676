// The allowed targets of push messages: the push services of browsers, and those that the operator adds. Subscribers
// name their endpoints, so no other host is ever connected to.

import { createSafeFetch, parseTargetUrl, type SafeFetch } from '../../networks/src/safe-fetch.ts';
import { SafeFetchError } from '../../networks/src/safe-fetch-error.ts';
import { pushEndpointMaxLength } from './push-subscription.ts';

/** Chrome and its derivatives, Firefox, Edge, and Safari. */
const known = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.notify.windows.com',
  'web.push.apple.com',
];
const httpsOnly = { schemes: ['https'], ports: [443] } as const;

/** Returns the client for an endpoint; undefined for one that is not allowed. */
export type FindPushFetch = (endpoint: string) => SafeFetch | undefined;

/**
 * @param more the operator's hosts: names, names with `*.` for all below them, or `http://` origins of loopback
 * addresses
 */
export function createPushHosts(more: readonly string[]): FindPushFetch {
  const patterns = [...known, ...more.filter((entry) => !entry.includes('://'))].map((name) =>
    name.toLowerCase(),
  );
  const toServices = createSafeFetch({ ...httpsOnly, allow: [] });
  const toOrigins = new Map(
    more
      .filter((entry) => entry.includes('://'))
      .map((entry) => {
        const { origin, hostname, port } = new URL(entry);
        const allow = [hostname.replace(/^\[|\]$/g, '')];
        return [origin, createSafeFetch({ schemes: ['http'], ports: [Number(port || 80)], allow })] as const;
      }),
  );
  return (endpoint) => {
    if (endpoint.length > pushEndpointMaxLength || !URL.canParse(endpoint)) return undefined;
    const own = toOrigins.get(new URL(endpoint).origin);
    if (own) return own;
    return isOfService(endpoint, patterns) ? toServices : undefined;
  };
}

function isOfService(endpoint: string, patterns: readonly string[]): boolean {
  try {
    const { hostname } = parseTargetUrl(endpoint, httpsOnly);
    const host = hostname.replace(/\.$/, '');
    return patterns.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host === one));
  } catch (error) {
    if (error instanceof SafeFetchError) return false;
    throw error;
  }
}
