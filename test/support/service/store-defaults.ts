// Options of a store that most tests do not care about: no listeners, no receivers, and an observer that counts nothing.

import { noObserver } from '../../../src/store/store-observer.ts';
import type { OutboxSettings } from '../../../src/store/jobs-store.ts';

const noOutbox: OutboxSettings = { operator: false, sessions: false, rowsPerEndpoint: 0 };
const ignore = (): void => undefined;

export const storeDefaults = {
  onNews: ignore,
  onEnded: ignore,
  writesExpected: () => 0,
  outbox: noOutbox,
  observer: noObserver,
};

export const postgresDefaults = {
  ...storeDefaults,
  directUrl: undefined,
  isPrepared: true,
  onReachable: ignore,
  onWarning: ignore,
};
