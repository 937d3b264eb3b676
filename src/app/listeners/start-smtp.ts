// Starts the SMTP listener: its limits, and where large messages are kept.

import { hostname } from 'node:os';

import { ScratchFile } from '#mail-receiver/scratch-file';
import type { Logger } from '#telemetry/logger';
import type { Vitals } from '#telemetry/vitals';
import type { Config } from '#config/settings';
import type { SmtpAddress } from '../../http/operation.ts';
import type { Metrics } from '../../observe/metrics.ts';
import type { TlsCertificate } from '#certificates/tls-certificate';
import type { BlockList } from '../../service/operating/block-list.ts';
import type { EarlyRefusals } from '../../service/records/early-refusals.ts';
import type { Receiving } from '../../service/services.ts';
import type { AdmissionSettings } from '#smtp-listener/admission';
import type { SmtpListener } from '#smtp-listener/listen';
import { createSmtpServer } from '../../smtp/smtp-server.ts';

/** Larger incoming messages go to a scratch file; 75 KB mail stays in memory. */
export const spillAfterBytes = 128 * 1024;

/** The name in the greeting and in Received fields. */
export function smtpHostname({ smtp }: Config): string {
  return smtp.hostname === '' ? hostname() : smtp.hostname;
}

/**
 * Returns the address that senders use, as far as can be determined from the settings: the configured name, else the
 * address listened on, or the machine's name when listening on all.
 * @param listening undefined when another node listens
 */
export function smtpAddressOf(config: Config, listening: { readonly port: number } | undefined): SmtpAddress {
  const { host, hostname: name, port } = config.smtp;
  const isAny = host === '0.0.0.0' || host === '::';
  const reached = name === '' && !isAny ? host : smtpHostname(config);
  const localHost = !listening ? reached : isAny ? '127.0.0.1' : host;
  return { host: reached, localHost, port: listening?.port ?? port };
}

/** The share of incomplete messages' bytes for one address or /64, and one /24 or /48. */
export const inFlightAddressShare = 1 / 8;
const siteShare = 1 / 4;

export interface SmtpParts {
  readonly config: Config;
  readonly receiving: Receiving;
  readonly log: Logger;
  readonly incoming: { count: number };
  readonly vitals: Vitals;
  readonly blocks: BlockList;
  readonly earlyRefusals: Pick<EarlyRefusals, 'record'>;
  readonly metrics: Metrics;
  /** The certificate of STARTTLS; undefined while it is off. */
  readonly tls: TlsCertificate | undefined;
  readonly socket: number | undefined;
  /** Limited by the available file descriptors. */
  readonly connectionsMax: number;
}

export async function startSmtp({
  config,
  receiving,
  log,
  incoming,
  vitals,
  blocks,
  earlyRefusals,
  metrics,
  tls,
  socket,
  connectionsMax,
}: SmtpParts): Promise<SmtpListener> {
  const { dataDir } = config.general;
  return createSmtpServer({
    settings: { ...config.smtp, ...ratesOf(config), hostname: smtpHostname(config), socket, connectionsMax },
    vitals,
    spill: { afterBytes: spillAfterBytes, open: () => new ScratchFile(dataDir) },
    tls,
    // Programs on the same machine check certificates, and no one can eavesdrop in between.
    offersTlsOnLoopback: () => tls?.isTrusted === true,
    metrics,
    receiver: {
      isNetworkBlocked: (address) => blocks.isNetworkBlocked(address),
      isSenderBlocked: (mailFrom) => blocks.isSenderBlocked(mailFrom),
      authenticateSmtp: receiving.authenticateSmtp,
      smtpFaults: receiving.smtpFaults,
      standingSession: receiving.standingSession,
      resolveRecipient: receiving.resolveRecipient,
      receiveMessage: receiving.receiveMessage,
      recordRefusal: receiving.recordRefusal,
      recordUnknownRecipient: receiving.recordUnknownRecipient,
      recordEarlyRefusal: earlyRefusals.record,
    },
    log,
    onIncoming: (change) => {
      incoming.count += change;
    },
  });
}

/** Returns the limits that `MAYFLY_LIMITS_RATE=off` lifts. */
function ratesOf({ limits, smtp }: Config): Partial<AdmissionSettings> {
  if (limits.rate === 'on') {
    return {
      inFlightPerAddressMaxBytes: inFlightAddressShare * smtp.inFlightMaxBytes,
      inFlightPerSiteMaxBytes: siteShare * smtp.inFlightMaxBytes,
    };
  }
  return {
    connectionsPerAddressMax: Infinity,
    connectionsPerSiteMax: Infinity,
    connectsPerMinute: Infinity,
    messagesPerMinute: Infinity,
    unknownRecipientsPerMinute: Infinity,
  };
}
