// The options of the HTTP server. Passed in by app.ts.

import type { ProxySettings } from '#networks/client-address';
import type { Logger } from '#telemetry/logger';
import type { HttpTimeouts } from '#http-parts/server-limits';
import type { Metrics } from '../../observe/metrics.ts';
import type { PageVisits } from '../../service/operating/page-visits.ts';
import type { Receiving, Services } from '../../service/services.ts';
import type { Access } from '../access/access.ts';
import type { ConnectionLimits } from '#http-parts/connection-limits';
import type { HostSettings } from '#http-parts/host-guard';
import type { Health, SmtpAddress } from '../operation.ts';
import type { HttpsParts } from '#certificates/encrypt-connection';
import type { MtaStsPolicy } from '#http-parts/mta-sts';
import type { InboundDoor } from './inbound-route.ts';
import type { WebApp } from '#web-pages/load-web-app';

export interface HttpSettings extends HostSettings, Partial<ProxySettings>, Partial<ConnectionLimits> {
  /** 0 for any free port. */
  readonly port: number;
  /** Descriptor of a listening socket to take over, in place of host and port. */
  readonly socket?: number | undefined;
  /** A socket in the file system to make and listen on, in place of host and port. */
  readonly path?: string;
  /** '' or a path such as `/mail`, without a final slash. */
  readonly basePath: string;
  /** Origins as browsers write them, or `*`. */
  readonly corsOrigins: readonly string[];
  readonly bodyMaxBytes: number;
}

export interface HttpServerOptions {
  readonly services: Services;
  readonly receiving: Pick<Receiving, 'importMessage'>;
  /** The most bytes of a message that comes as a file. */
  readonly messageMaxBytes: number;
  readonly settings: HttpSettings;
  readonly log: Logger;
  readonly health: Health;
  readonly access: Access;
  readonly version: string;
  readonly smtp: SmtpAddress;
  /** Null when the operator has switched it off. */
  readonly webApp: WebApp | null;
  /** Absent for plain HTTP. */
  readonly https?: HttpsParts | undefined;
  /** Absent while senders are not asked to insist on TLS. */
  readonly mtaSts?: MtaStsPolicy | undefined;
  /** Absent where no other services hand over mail. */
  readonly inbound?: InboundDoor | undefined;
  /** Notes our own requests for the page; absent where none are made. */
  readonly visits?: PageVisits | undefined;
  readonly timeouts?: HttpTimeouts;
  readonly metrics?: Metrics;
}
