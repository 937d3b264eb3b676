// The service as a whole: status, settings and, on this machine only, a copy of its store.

import { historyMinutes } from '../observe/traffic-history.ts';
import { OperatorError } from '../service/operating/operator-error.ts';
import { readStatus } from '../service/operating/read-status.ts';
import { CopyRefused } from '../store/store-copy.ts';
import { describeCertificate } from './certificates.ts';
import { beginProbeCommand, examineCommand, readProbeCommand } from './doctor.ts';
import { type Noun, operatorCommand } from './command.ts';
import { formatTable } from './format-table.ts';
import { toTime } from './to-time.ts';

const showStatus = operatorCommand({
  method: 'GET',
  path: '/admin/status',
  help: 'show version, readiness and counts',
  parameters: {},
  async run({ operator, health, version }) {
    const state = health.isReady();
    const [counts, certificate] = await Promise.all([
      readStatus(operator),
      describeCertificate(operator.certificates),
    ]);
    return {
      version,
      ready: state.ready,
      reason: state.ready ? null : state.reason,
      uptime_seconds: Math.floor(process.uptime()),
      live_sessions: counts.liveSessions,
      active_domains: counts.activeDomains,
      keys: counts.keys,
      blocks: counts.blocks,
      dead_webhooks: counts.deadWebhooks,
      certificate,
    };
  },
  print: ({ certificate, ...status }) => [
    ...Object.entries(status).map(([name, value]) => `${name}: ${value ?? ''}`),
    `certificate: ${certificate.source}, until ${certificate.not_after ?? ''}`,
  ],
});

const defaultMinutes = 60;
const pointsMax = 96;

const showTraffic = operatorCommand({
  method: 'GET',
  path: '/admin/traffic',
  help: 'show the load of this process, in spans of equal length, for charts',
  parameters: {
    minutes: {
      kind: 'int',
      min: 5,
      max: historyMinutes,
      description: `how far back; ${defaultMinutes} when absent`,
    },
  },
  async run({ operator }, { minutes = defaultMinutes }) {
    const points = (await operator.traffic?.read(minutes, Math.min(minutes, pointsMax))) ?? [];
    return {
      minutes,
      points: points.map(({ at, seconds, liveSessions, counts }) => ({
        at: toTime(at),
        seconds,
        live_sessions: liveSessions,
        ...counts,
      })),
    };
  },
  print: ({ points }) => [`${points.length} points.`],
});

const settings = operatorCommand({
  method: 'GET',
  path: '/admin/settings',
  words: 'settings',
  help: 'show the settings in force and where each comes from, with secrets masked',
  parameters: {},
  run: ({ operator }) =>
    Promise.resolve({
      settings: operator.settings.map(({ name, value, source, file }) => ({ name, value, source, file })),
    }),
  print: ({ settings: inForce }) =>
    formatTable([
      ['SETTING', 'VALUE', 'FROM'],
      ...inForce.map(({ name, value, source, file }) => [name, value, file ?? source]),
    ]),
});

/** For `mayfly backup`, which moves the file away. */
export const copyCommand = operatorCommand({
  method: 'POST',
  path: '/admin/copy-store',
  help: 'copy the store into a file beside it, for a backup',
  isLocal: true,
  parameters: {},
  async run({ operator }) {
    try {
      return { file: (await operator.copy.make()).file };
    } catch (error) {
      throw error instanceof CopyRefused ? new OperatorError(error.message, { cause: error }) : error;
    }
  },
  changes: () => '',
  print: ({ file }) => [file],
});

export const service: Noun = {
  word: 'settings',
  commands: [
    settings,
    showStatus,
    showTraffic,
    examineCommand,
    beginProbeCommand,
    readProbeCommand,
    copyCommand,
  ],
};
