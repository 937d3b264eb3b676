// `mayfly audit`: what operators did, by the page, the admin interface and the command line.

import { type Noun, operatorCommand } from './command.ts';
import { formatTable } from './format-table.ts';
import { toTime } from './to-time.ts';

const defaultListed = 100;

const show = operatorCommand({
  method: 'GET',
  path: '/admin/audit',
  words: 'audit',
  help: 'show what operators did in the last year, the newest first: when, by whom, on what, and the outcome',
  parameters: {
    words: {
      kind: 'text',
      maxLength: 200,
      description: 'only entries with all these words, such as `remove-domain 2026-11-26`',
      operand: 'WORDS',
    },
    limit: {
      kind: 'int',
      min: 1,
      max: 1000,
      description: `the most to list; ${defaultListed} when absent`,
      option: { name: 'limit', value: 'N' },
    },
  },
  async run({ operator }, { words = '', limit = defaultListed }) {
    const entries = await operator.audit.search({ words, limit });
    return {
      entries: entries.map(({ id, at, actor, action, target, outcome, detail }) => ({
        id,
        at: toTime(at),
        by: actor.kind,
        who: actor.name,
        action,
        target,
        outcome,
        detail,
      })),
    };
  },
  print({ entries }) {
    if (entries.length === 0) return ['Nothing was found.'];
    const rows = entries.map(({ at, by, who, action, target, outcome, detail }) => [
      ...[at ?? '', `${by} ${who}`.trim(), action, target, outcome, detail],
    ]);
    return formatTable([['AT', 'BY', 'ACTION', 'ON', 'OUTCOME', 'WHY'], ...rows]);
  },
});

export const audit: Noun = { word: 'audit', commands: [show] };
