// The parts that certificates are opened with. Part of the composition root.

import type { Logger } from '#telemetry/logger';
import type { Config } from '#config/settings';
import type { Metrics } from '../../observe/metrics.ts';
import type { Stores } from '../../store/stores.ts';
import type { TlsCertificate } from '#certificates/tls-certificate';

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
  /** Presented by the listeners of this process; undefined where no service runs. */
  readonly presented?: { readonly http: Presented; readonly smtp: Presented } | undefined;
}

type Presented = TlsCertificate | undefined;
