// The SMTP listener (packages/smtp-listener) with this service's answers, log and metrics.

import type { Spill } from '#mail-receiver/message-buffer';
import { nameOf } from '#mail-receiver/reply';
import { normaliseAddress } from '#networks/client-network';
import { listenForSmtp, type SmtpListener, type SmtpListenerOptions } from '#smtp-listener/listen';
import type { Logger } from '#telemetry/logger';
import { createSampledLog } from '#telemetry/sampled-log';
import type { Metrics } from '../observe/metrics.ts';
import type { Recipient } from '../service/session/recipient.ts';
import { ConnectionAnswers } from './connection-answers.ts';
import type { MailReceiver } from './mail-receiver.ts';
import { SmtpCounts } from './smtp-counts.ts';

export interface SmtpServerOptions extends Pick<
  SmtpListenerOptions<Recipient>,
  'settings' | 'tls' | 'offersTlsOnLoopback' | 'vitals' | 'onIncoming'
> {
  readonly receiver: MailReceiver;
  /** Where large messages are kept while they arrive. */
  readonly spill: Spill;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export async function createSmtpServer(options: SmtpServerOptions): Promise<SmtpListener> {
  const { receiver, spill, log, metrics } = options;
  const common = { log, sampledLog: createSampledLog(log), counts: new SmtpCounts(metrics) };
  const listener = await listenForSmtp<Recipient>({
    ...options,
    ...common,
    isNetworkBlocked: (address) => receiver.isNetworkBlocked(address),
    onTurnedAway: (reply, address = '') => {
      const remoteAddress = normaliseAddress(address);
      receiver.recordEarlyRefusal({ stage: 'connect', cause: nameOf(reply), remoteAddress });
    },
    answer: (admission) => {
      const parts = { ...common, admission, receiver, spill };
      return (peer) => new ConnectionAnswers(parts, peer);
    },
  });
  metrics.registry.onCollect(() => {
    metrics.smtpOpen.of().value = listener.connections;
    metrics.smtpInFlightBytes.of().value = listener.inFlightBytes;
  });
  return listener;
}
