// /admin: domains.

import { checkDomain } from '../../service/check-domain.ts';
import { addDomain, disableDomain, removeDomain } from '../../service/manage-domains.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { jsonAnswer } from '../answer.ts';
import { type AdminOperation, adminOperation } from './admin-operation.ts';
import { toTime } from './to-time.ts';

const name = { kind: 'text', required: true, description: 'The domain.' } as const;

const listDomainsOperation = adminOperation({
  method: 'GET',
  path: '/admin/domains',
  summary: 'Domains with their states and when mail last came for them',
  parameters: {},
  async run({ operator }) {
    const [domains, lastMail] = await Promise.all([
      operator.directory.listDomains(),
      operator.lastMail.list(),
    ]);
    return jsonAnswer({
      domains: domains.map((domain) => ({
        id: domain.id,
        domain: domain.name,
        active: domain.isActive,
        quarantine_seconds: domain.quarantineMs / 1000,
        refuses_dmarc_reject: domain.refusesDmarcReject,
        last_mail_at: toTime(lastMail.get(domain.name)),
      })),
    });
  },
});

const addDomainOperation = adminOperation({
  method: 'POST',
  path: '/admin/add-domain',
  summary: 'Lend addresses on a domain, or make a disabled one active again',
  parameters: {
    name,
    quarantine: {
      kind: 'int',
      min: 0,
      max: 999_999_999,
      description: 'Seconds an address rests after its session.',
    },
    refuse_dmarc_reject: {
      kind: 'flag',
      description: 'Whether mail is refused that fails DMARC and asks for that.',
    },
  },
  async run({ operator }, parameters) {
    const { quarantine, refuse_dmarc_reject: refusesDmarcReject } = parameters;
    const domain = await addDomain(operator.directory, {
      name: parameters.name,
      quarantineMs: quarantine === undefined ? undefined : quarantine * 1000,
      defaultQuarantineMs: operator.defaultQuarantineMs,
      refusesDmarcReject,
    });
    return jsonAnswer({ id: domain.id, domain: domain.name });
  },
});

const disableDomainOperation = adminOperation({
  method: 'POST',
  path: '/admin/disable-domain',
  summary: 'Lend no new addresses on a domain; its sessions live on',
  parameters: { name },
  run: async ({ operator }, parameters) =>
    jsonAnswer({ domain: (await disableDomain(operator.directory, parameters.name)).name }),
});

const removeDomainOperation = adminOperation({
  method: 'POST',
  path: '/admin/remove-domain',
  summary: 'End the sessions of a domain and forget it',
  parameters: { name },
  run: async ({ operator }, parameters) =>
    jsonAnswer({ ended_sessions: await removeDomain(operator.directory, parameters.name) }),
});

const checkDomainOperation = adminOperation({
  method: 'GET',
  path: '/admin/check-domain',
  summary: 'Whether MX, addresses, certificate and SPF of a domain are as they should be',
  parameters: { name },
  async run({ operator }, parameters) {
    const wanted = parameters.name.toLowerCase();
    const domain = (await operator.directory.listDomains()).find((one) => one.name === wanted);
    if (!domain) throw new OperatorError(`There is no domain ${JSON.stringify(wanted.slice(0, 80))}.`);
    return jsonAnswer({ checks: await checkDomain(operator.domainChecks, domain.name) });
  },
});

export const domainOperations: readonly AdminOperation[] = [
  listDomainsOperation,
  addDomainOperation,
  disableDomainOperation,
  removeDomainOperation,
  checkDomainOperation,
];
