// `mayfly dns`: checks the DNS records of the operator's domains.

import type { DomainState } from '../service/operating/domain-states.ts';
import { type Noun, operatorCommand } from './command.ts';
import { formatTable } from './format-table.ts';
import { toTime } from './to-time.ts';

const states = operatorCommand({
  method: 'GET',
  path: '/admin/domain-states',
  words: 'dns',
  help: 'check MX, addresses, certificate and SPF of every domain, as of the last five minutes; of NAME, as of now',
  parameters: {
    name: { kind: 'text', description: 'one domain, looked up again', operand: 'NAME' },
  },
  async run({ operator: { domainStates } }, { name }) {
    const found = name === undefined ? await domainStates.list() : [await domainStates.lookAgain(name)];
    return { domains: found.map(toAnswer) };
  },
  print({ domains }) {
    if (domains.length === 0) return ['No domains. Add one: mayfly domain add example.org'];
    return formatTable([
      ['DOMAIN', 'STATE', ''],
      ...domains.map(({ domain, state, problem }) => [domain, state, problem ?? '']),
    ]);
  },
});

function toAnswer({ domain, state, checks, checkedAt }: DomainState) {
  return {
    domain,
    state,
    problem: checks.find((check) => check.state === state && state !== 'ok')?.detail ?? null,
    checked_at: toTime(checkedAt),
    checks,
  };
}

export const dns: Noun = { word: 'dns', commands: [states] };
