// Mail by HTTP over the stores of an HTTP harness: a route for a provider, and posting to it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { onTestFinished } from 'vitest';

import type { ProviderSecret } from '#inbound/provider';
import { ScratchFile } from '#mail-receiver/scratch-file';
import type { SafeFetch } from '#networks/safe-fetch';
import { createInboundDoor } from '../../../src/inbound/inbound-door.ts';
import type { InboundParts } from '../../../src/inbound/inbound-parts.ts';
import { createMetrics } from '../../../src/observe/metrics.ts';
import {
  ask,
  type Harness,
  type HarnessOptions,
  type HttpAnswer,
  startHttp,
} from '../../integration/http-harness.ts';
import {
  certificateUrl,
  getSnsKeys,
  type GivenMail,
  type ProviderRequest,
  routeName,
  type TestProvider,
} from './provider-requests.ts';

export interface InboundHarness extends Harness {
  /** Makes the route `relay`, or another, for the provider. */
  addRoute(provider: TestProvider, name?: string, trusts?: string): Promise<void>;
  post(request: ProviderRequest, name?: string): Promise<HttpAnswer>;
  /** Returns the subjects of the session's messages, oldest first. */
  subjectsOf(token: string): Promise<string[]>;
  /** The URLs that were fetched. */
  readonly fetched: string[];
}

export interface InboundHarnessOptions extends Pick<HarnessOptions, 'wrapDeps' | 'metrics'> {
  readonly settings?: Partial<InboundParts['settings']>;
  readonly vitals?: InboundParts['vitals'];
  /** Replaces parts of the services. */
  readonly receiver?: Partial<InboundParts['receiver']>;
}

const settings: InboundParts['settings'] = {
  messageMaxBytes: 36 * 1024 * 1024,
  recipientsMax: 100,
  inFlightMaxBytes: 2 ** 30,
  inFlightPerAddressMaxBytes: 2 ** 30,
};

export async function startInboundHarness(options: InboundHarnessOptions = {}): Promise<InboundHarness> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-inbound-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const { metrics = createMetrics(), wrapDeps, vitals } = options;
  const fetched: string[] = [];
  const fetch: SafeFetch = ({ url }) => {
    fetched.push(url);
    return Promise.resolve({
      status: 200,
      headers: {},
      body: Buffer.from(url === certificateUrl ? getSnsKeys().certificatePem : ''),
    });
  };
  const harness = await startHttp({
    metrics,
    ...(wrapDeps ? { wrapDeps } : {}),
    createInbound: ({ store, receiving, log, now }) =>
      createInboundDoor({
        store: store.inbound,
        receiver: { ...receiving, isSenderBlocked: () => false, ...options.receiver },
        openSecret: (_name, sealed) => JSON.parse(Buffer.from(sealed).toString()) as ProviderSecret,
        spill: { afterBytes: 128 * 1024, open: () => new ScratchFile(folder) },
        vitals: vitals ?? { isDiskLow: () => false, isOverloaded: () => false },
        settings: { ...settings, ...options.settings },
        fetch,
        now,
        metrics,
        log,
      }),
  });
  return {
    ...harness,
    fetched,
    addRoute: async ({ secret }, name = routeName, trusts) => {
      const sealed = Buffer.from(JSON.stringify(secret));
      await harness.store.inbound.removeRoute(name);
      await harness.store.inbound.addRoute({ name, provider: secret.from, trusts: trusts ?? null, sealed });
    },
    post: ({ headers, body }, name = routeName) =>
      ask(harness, `/inbound/${name}`, { method: 'POST', headers, body }),
    subjectsOf: async (token) => {
      const { json } = await ask(harness, '/check-mail', { headers: { authorization: `Bearer ${token}` } });
      return (json.messages as { subject: string }[]).map(({ subject }) => subject).reverse();
    },
  };
}

let made = 0;

/** A mail of its own, to the address; signed now by the harness's clock. */
export function mailFor(
  harness: Pick<Harness, 'now'>,
  to: string | readonly string[],
  subject?: string,
): GivenMail {
  made += 1;
  const recipients = typeof to === 'string' ? [to] : to;
  const title = subject ?? `mail ${made}`;
  return {
    from: 'a@example.org',
    to: recipients,
    raw: Buffer.from(
      `From: a@example.org\r\nTo: x@example.org\r\nSubject: ${title}\r\n\r\nhello ${made}\r\n`,
    ),
    at: harness.now(),
    id: `msg_${made}`,
  };
}
