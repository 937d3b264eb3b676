// `mayfly statistics`: the statistics kept, over the last days.

import { readStatistics } from '../service/operating/read-statistics.ts';
import { type Noun, operatorCommand } from './command.ts';
import { formatTable } from './format-table.ts';
import { toTime } from './to-time.ts';

const dayMs = 86_400_000;
const defaultDays = 30;

const show = operatorCommand({
  method: 'GET',
  path: '/admin/statistics',
  words: 'statistics',
  help: 'show mail received and refused, causes, senders’ domains and sessions: by day for a year, by hour for 30 days',
  parameters: {
    days: {
      kind: 'int',
      min: 1,
      max: 365,
      description: `how far back; ${defaultDays} when absent`,
      option: { name: 'days', value: 'DAYS' },
    },
    by: {
      kind: 'choice',
      values: ['day', 'hour'],
      description: 'whether each line is a day (the default) or an hour',
      option: { name: 'by' },
    },
  },
  async run({ operator }, { days = defaultDays, by = 'day' }) {
    const { points, causes, senders } = await readStatistics(operator, by, days * dayMs);
    return {
      by,
      points: points.map(({ at, ...counts }) => ({ at: toTime(at), ...counts })),
      causes,
      senders,
    };
  },
  print({ points, causes, senders }) {
    if (points.length === 0) return ['Nothing was counted yet; counts are written once a minute.'];
    const rows = points.map((one) => [
      one.at ?? '',
      ...[one.received, one.refused, one.deferred, one.sessions, one.bytes].map(String),
    ]);
    const named = (counts: typeof causes): string[][] =>
      counts.map(({ name, count }) => [name, String(count)]);
    return [
      ...formatTable([['SINCE', 'RECEIVED', 'REFUSED', 'DEFERRED', 'SESSIONS', 'BYTES'], ...rows]),
      ...(causes.length > 0 ? ['', ...formatTable([['CAUSE', 'COUNT'], ...named(causes)])] : []),
      ...(senders.length > 0 ? ['', ...formatTable([['SENDERS AT', 'MESSAGES'], ...named(senders)])] : []),
    ];
  },
});

export const statistics: Noun = { word: 'statistics', commands: [show] };
