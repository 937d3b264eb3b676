// `mayfly domain`: the domains of addresses.

import { demoDomain } from '../domain/addresses/special-domain.ts';
import { durationForm, formatDuration } from '#values/duration';
import { checkOwnDomain } from '../service/operating/check-domain.ts';
import { addDomain, changeDomain, disableDomain, removeDomain } from '../service/operating/manage-domains.ts';
import { OperatorError } from '../service/operating/operator-error.ts';
import { type Noun, operatorCommand } from './command.ts';
import { endSessionsParameter } from './end-sessions-parameter.ts';
import { formatTable } from './format-table.ts';
import { toTime } from './to-time.ts';

const name = { kind: 'text', required: true, description: 'the domain', operand: 'NAME' } as const;

const add = operatorCommand({
  method: 'POST',
  path: '/admin/add-domain',
  words: 'domain add',
  help: 'give out addresses on NAME; also reactivates a disabled domain.',
  parameters: {
    name,
    quarantine: {
      kind: 'duration',
      max: 999_999_999,
      description:
        'how long an address stays in quarantine after its session (default 30 days; 0 for a domain used in tests)',
      option: { name: 'quarantine', value: 'TIME', takes: durationForm },
    },
    refuse_dmarc_reject: {
      kind: 'flag',
      description:
        'whether mail that fails DMARC is refused when its From domain requests that (default: accepted, and ' +
        'shown by read-mail)',
      option: { name: 'refuse-dmarc-reject', opposite: 'accept-dmarc-reject' },
    },
    unknown: {
      kind: 'choice',
      values: ['reject', 'accept-and-discard'],
      description: 'mail for unknown addresses: refused (the default), or accepted and discarded',
      option: { name: 'unknown' },
    },
  },
  async run({ operator }, { quarantine, refuse_dmarc_reject: refusesDmarcReject, unknown, ...given }) {
    const domain = await addDomain(operator.directory, {
      name: given.name,
      quarantineMs: quarantine === undefined ? undefined : quarantine * 1000,
      defaultQuarantineMs: operator.defaultQuarantineMs,
      refusesDmarcReject,
      discardsUnknown: unknown === undefined ? undefined : unknown === 'accept-and-discard',
    });
    return { id: domain.id, domain: domain.name, retired: domain.retiresDemo ? demoDomain : null };
  },
  changes: ({ name: added }, made) => made?.domain ?? added,
  print: ({ id, domain, retired }) => [
    `Domain ${domain} is active with id ${id}.`,
    ...(retired === null
      ? []
      : [`The demo domain ${retired} gives out no new addresses; its sessions continue to their end.`]),
  ],
});

const set = operatorCommand({
  method: 'POST',
  path: '/admin/set-domain',
  words: 'domain set',
  help: 'change how NAME accepts mail.',
  parameters: {
    name,
    plus: {
      kind: 'choice',
      values: ['on', 'off'],
      description: 'whether mail for fox+anything@NAME reaches fox@NAME (default: on)',
      option: { name: 'plus' },
    },
  },
  async run({ operator }, { plus, ...given }) {
    if (plus === undefined) throw new OperatorError('Nothing to change: give --plus on or --plus off.');
    const changes = { takesPlusTags: plus === 'on' };
    const domain = await changeDomain(operator.directory, given.name, changes);
    return { domain: domain.name, takes_plus_tags: domain.takesPlusTags };
  },
  changes: ({ name: changed, plus = '' }) => `${changed} plus ${plus}`,
  print: ({ domain, takes_plus_tags: takes }) => [
    `Domain ${domain} ${takes ? 'accepts' : 'refuses'} addresses with a plus tag.`,
  ],
});

const list = operatorCommand({
  method: 'GET',
  path: '/admin/domains',
  words: 'domain list',
  help: 'list domains with their ids and states',
  parameters: {},
  async run({ operator }) {
    const [domains, lastMail] = await Promise.all([
      operator.directory.listDomains(),
      operator.lastMail.list(),
    ]);
    return {
      domains: domains.map((domain) => ({
        id: domain.id,
        domain: domain.name,
        active: domain.isActive,
        quarantine_seconds: domain.quarantineMs / 1000,
        quarantine: formatDuration(domain.quarantineMs / 1000),
        refuses_dmarc_reject: domain.refusesDmarcReject,
        discards_unknown: domain.discardsUnknown,
        takes_plus_tags: domain.takesPlusTags,
        last_mail_at: toTime(lastMail.get(domain.name)),
      })),
    };
  },
  print({ domains }) {
    if (domains.length === 0) return ['No domains. Add one: mayfly domain add example.org'];
    const rows = domains.map((one) => [
      String(one.id),
      one.domain,
      [
        one.active ? 'active' : 'disabled',
        ...(one.refuses_dmarc_reject ? ['refuses DMARC reject'] : []),
        ...(one.discards_unknown ? ['discards mail for unknown addresses'] : []),
        ...(one.takes_plus_tags ? [] : ['refuses plus tags']),
      ].join(', '),
      one.quarantine,
    ]);
    return formatTable([['ID', 'DOMAIN', 'STATE', 'QUARANTINE'], ...rows]);
  },
});

const check = operatorCommand({
  method: 'GET',
  path: '/admin/check-domain',
  words: 'domain check',
  help: 'check MX, addresses, certificate and SPF of NAME, and when mail last arrived for it',
  parameters: { name },
  async run({ operator }, given) {
    const { checks, lastMailAt } = await checkOwnDomain(operator, given.name);
    return { checks, last_mail_at: toTime(lastMailAt) };
  },
  print: ({ checks, last_mail_at: last }) =>
    formatTable([
      ['CHECK', 'STATE', ''],
      ...checks.map(({ what, state, detail }) => [what, state, detail]),
      [
        'mail',
        last === null ? 'warning' : 'ok',
        last === null ? 'None has arrived yet.' : `Last arrived ${last}.`,
      ],
    ]),
});

const disable = operatorCommand({
  method: 'POST',
  path: '/admin/disable-domain',
  words: 'domain disable',
  help: 'give out no new addresses on NAME; sessions continue',
  parameters: { name },
  run: async ({ operator }, given) => ({
    domain: (await disableDomain(operator.directory, given.name)).name,
  }),
  changes: ({ name: disabled }) => disabled,
  print: ({ domain }) => [`Domain ${domain} gives out no new addresses; its sessions continue to their end.`],
});

const remove = operatorCommand({
  method: 'POST',
  path: '/admin/remove-domain',
  words: 'domain remove',
  help: 'remove NAME; its id is never reused. Refused while it has live sessions, unless they are to be ended',
  parameters: {
    name,
    end_sessions: endSessionsParameter,
  },
  run: async ({ operator }, given) => ({
    ended_sessions: await removeDomain(operator, {
      name: given.name,
      endsSessions: given.end_sessions === true,
    }),
  }),
  changes: ({ name: removed, end_sessions: ends }) =>
    `${removed}${ends === true ? ' with its sessions' : ''}`,
  print: ({ ended_sessions: ended }, given) => [
    `Domain ${given.name.toLowerCase()} is removed; ${ended} of its sessions ended.`,
  ],
});

export const domains: Noun = {
  word: 'domain',
  explainsEach: true,
  commands: [add, set, list, check, disable, remove],
};
