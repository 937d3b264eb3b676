// The totals of this process that statistics are kept of, by name. Read once a minute.

import type { Metrics } from './metrics.ts';

/** `refused` and `deferred` are followed by the cause. */
export function readStatisticsTotals(
  metrics: Pick<
    Metrics,
    'messages' | 'messageBytes' | 'sessionsCreated' | 'smtpRecipients' | 'smtpConnections'
  >,
): Readonly<Record<string, number>> {
  const totals: Record<string, number> = {};
  const add = (name: string, value: number): void => {
    totals[name] = (totals[name] ?? 0) + value;
  };
  for (const [[, outcome = '', reason = ''], value] of metrics.messages.entries()) {
    add(outcome === 'stored' ? 'received' : `${outcome} ${reason}`, value);
  }
  for (const [[answer = ''], value] of metrics.smtpRecipients.entries()) {
    if (answer !== 'accepted') add(`refused recipient_${answer}`, value);
  }
  for (const [[outcome = ''], value] of metrics.smtpConnections.entries()) {
    if (outcome !== 'accepted' && outcome !== 'evicted') add(`refused connection_${outcome}`, value);
  }
  add('bytes', metrics.messageBytes.sum());
  add('sessions', metrics.sessionsCreated.sum());
  return totals;
}
