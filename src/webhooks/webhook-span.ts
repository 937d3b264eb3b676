// One try of one webhook as a span. Called by create-live.ts when traces are on. Without the URL, which is secret for
// sessions; the endpoint's number identifies it.

import type { Span } from '#telemetry/traces';
import type { Tried } from './deliver-webhook.ts';

export function toWebhookSpan({ due, outcome, startedAt }: Tried): Span {
  return {
    name: 'webhook',
    kind: 'client',
    startedAt,
    endedAt: performance.now(),
    hasFailed: outcome.outcome === 'failed',
    attributes: {
      'mayfly.webhook.endpoint': due.endpointId,
      'mayfly.webhook.event': due.kind,
      'mayfly.webhook.try': due.attempts + 1,
      'mayfly.outcome': outcome.outcome,
      'error.type': outcome.outcome === 'failed' ? outcome.reason : undefined,
    },
  };
}
