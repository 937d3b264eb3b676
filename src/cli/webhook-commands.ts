// `mayfly webhook dead`: the webhooks that were given up, and sending them again. Carried out by execute-control.ts.

import { OperatorError } from '../service/operator-error.ts';
import type { DeadDelivery, JobsStore } from '../store/jobs-store.ts';
import { formatTable } from './format-table.ts';

export type WebhookRequest =
  | { readonly command: 'webhook-dead-list' }
  | { readonly command: 'webhook-dead-replay'; readonly id: number | 'all' };

const listedAtMost = 1000;

/** Undefined when it is no request of these. */
export function parseWebhookRequest(command: unknown, id: unknown): WebhookRequest | undefined {
  if (command === 'webhook-dead-list') return { command };
  if (command !== 'webhook-dead-replay') return undefined;
  return id === 'all' || (Number.isSafeInteger(id) && (id as number) > 0)
    ? { command, id: id as number | 'all' }
    : undefined;
}

/** @throws OperatorError */
export async function executeWebhookRequest(jobs: JobsStore, request: WebhookRequest): Promise<string[]> {
  if (request.command === 'webhook-dead-list') return formatDead(await jobs.listDead(listedAtMost));
  const replayed = await jobs.replayDead(request.id);
  if (replayed === 0 && request.id !== 'all') {
    throw new OperatorError(`There is no dead webhook ${request.id}.`);
  }
  return [`${replayed} ${replayed === 1 ? 'webhook is' : 'webhooks are'} due again.`];
}

function formatDead(dead: readonly DeadDelivery[]): string[] {
  if (dead.length === 0) return ['No dead webhooks.'];
  const rows = dead.map((one) => [
    String(one.rowId),
    String(one.endpointId),
    one.kind,
    new Date(one.at).toISOString(),
    new Date(one.deadAt).toISOString(),
    String(one.attempts),
    one.reason,
  ]);
  return formatTable([['ID', 'ENDPOINT', 'EVENT', 'HAPPENED', 'GIVEN UP', 'TRIES', 'REASON'], ...rows]);
}
