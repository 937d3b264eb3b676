// The listener for other services' dialects on a free port, over the store and services of the HTTP harness.

import { onTestFinished } from 'vitest';

import { type CompatServerOptions, createCompatServer } from '../../src/compat/create-compat-server.ts';
import { type Harness, type HarnessOptions, startHttp } from './http-harness.ts';

export interface CompatHarnessOptions extends HarnessOptions {
  readonly compat?: Partial<CompatServerOptions['settings']>;
  readonly defaultSession?: (harness: Harness) => CompatServerOptions['defaultSession'];
  readonly sessionByName?: (harness: Harness) => CompatServerOptions['sessionByName'];
  readonly senderEvents?: CompatServerOptions['senderEvents'];
}

/** Port and origin are those of the dialects' listener. */
export async function startCompat(options: CompatHarnessOptions = {}): Promise<Harness> {
  const harness = await startHttp(options);
  const { services, receiving, ruled } = harness;
  const server = await createCompatServer({
    own: undefined,
    services,
    receiving,
    access: ruled.access,
    version: '0.0.0-test',
    log: harness.log,
    health: options.health ?? { isReady: () => ({ ready: true }) },
    messageMaxBytes: 1024 * 1024,
    settings: {
      host: '127.0.0.1',
      port: 0,
      hosts: [],
      publicUrl: '',
      requestsPerMinute: Infinity,
      ...options.compat,
    },
    ...(options.timeouts ? { timeouts: options.timeouts } : {}),
    ...(options.metrics ? { metrics: options.metrics } : {}),
    defaultSession: options.defaultSession?.(harness),
    sessionByName: options.sessionByName?.(harness),
    senderEvents: options.senderEvents,
  });
  onTestFinished(() => server.close());
  const { port } = server.address();
  return { ...harness, port, origin: `http://127.0.0.1:${port}` };
}

export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}
