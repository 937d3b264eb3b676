// /admin: the service as a whole, its settings and the webhooks that were given up.

import { MayflyError } from '../../domain/mayfly-error.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { jsonAnswer } from '../answer.ts';
import { type AdminOperation, adminOperation } from './admin-operation.ts';
import { toTime } from './to-time.ts';

const deadListed = 1000;

const statusOperation = adminOperation({
  method: 'GET',
  path: '/admin/status',
  summary: 'Version, readiness and counts',
  parameters: {},
  async run({ operator, health, version }) {
    const state = health.isReady();
    const [live, domains, keys, blocks, dead] = await Promise.all([
      operator.finder.countLive(),
      operator.directory.listDomains(),
      operator.keys.listKeys(),
      operator.blocks.listBlocks(),
      operator.jobs.listDead(deadListed),
    ]);
    return jsonAnswer({
      version,
      ready: state.ready,
      reason: state.ready ? null : state.reason,
      uptime_seconds: Math.floor(process.uptime()),
      live_sessions: live,
      active_domains: domains.filter(({ isActive }) => isActive).length,
      keys: keys.filter(({ revokedAt }) => revokedAt === null).length,
      blocks: blocks.length,
      dead_webhooks: dead.length,
    });
  },
});

const settingsOperation = adminOperation({
  method: 'GET',
  path: '/admin/settings',
  summary: 'The settings in force, secrets masked',
  parameters: {},
  run: ({ operator }) =>
    Promise.resolve(
      jsonAnswer({
        settings: operator.settings.map(({ name, value, isDefault }) => ({
          name,
          value,
          default: isDefault,
        })),
      }),
    ),
});

const deadWebhooksOperation = adminOperation({
  method: 'GET',
  path: '/admin/dead-webhooks',
  summary: `Webhooks that were given up, ${deadListed} at most`,
  parameters: {},
  async run({ operator }) {
    const dead = await operator.jobs.listDead(deadListed);
    return jsonAnswer({
      dead_webhooks: dead.map((one) => ({
        id: one.rowId,
        endpoint_id: one.endpointId,
        event: one.kind,
        happened_at: toTime(one.at),
        given_up_at: toTime(one.deadAt),
        tries: one.attempts,
        reason: one.reason,
      })),
    });
  },
});

const replayWebhookOperation = adminOperation({
  method: 'POST',
  path: '/admin/replay-webhook',
  summary: 'Send a webhook again that was given up, or all of them',
  parameters: { id: { kind: 'text', required: true, description: 'Its id, or `all`.' } },
  async run({ operator }, { id }) {
    if (id !== 'all' && !/^[1-9]\d{0,14}$/.test(id)) {
      throw new MayflyError('invalid_parameter', '`id` must be an id or `all`.', { parameter: 'id' });
    }
    const replayed = await operator.jobs.replayDead(id === 'all' ? id : Number(id));
    if (replayed === 0 && id !== 'all') throw new OperatorError(`There is no dead webhook ${id}.`);
    return jsonAnswer({ replayed });
  },
});

export const serviceOperations: readonly AdminOperation[] = [
  statusOperation,
  settingsOperation,
  deadWebhooksOperation,
  replayWebhookOperation,
];
