// The parts that certificates are opened with. Part of the composition root.

import type { Logger } from '#telemetry/logger';
import type { Config } from '#config/settings';
import type { Metrics } from '../../observe/metrics.ts';
import type { Stores } from '../../store/stores.ts';

export interface CertificatesOptions {
  readonly config: Config;
  readonly store: Stores;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export interface ViewParts {
  readonly config: Config;
  readonly store: Pick<Stores, 'records' | 'serverKeys' | 'directory' | 'now'>;
  readonly log: Logger;
}
