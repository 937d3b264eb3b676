// Carries out operator commands on an open store: in the running service for what comes over its socket, in the
// command's own process when nothing runs.

import { addDomain, disableDomain, removeDomain } from '../service/manage-domains.ts';
import type { OperatorDeps } from '../service/operator-deps.ts';
import { OperatorError } from '../service/operator-error.ts';
import type { Domain } from '../store/directory-store.ts';
import { CopyRefused, type StoreCopy } from '../store/store-copy.ts';
import { executeGmailRequest } from './execute-gmail.ts';
import { formatTable } from './format-table.ts';
import { executeOperatorRequest } from './operator-commands.ts';
import { executeWebhookRequest } from './webhook-commands.ts';
import type { ControlRequest, ControlResponse } from './control-protocol.ts';

export interface ExecuteControlDeps extends OperatorDeps {
  readonly copy: StoreCopy;
}

/** Answers a wrong request with a message; throws only for faults of ours. */
export async function executeControl(
  deps: ExecuteControlDeps,
  request: ControlRequest,
): Promise<ControlResponse> {
  try {
    return { ok: true, lines: await execute(deps, request) };
  } catch (error) {
    if (error instanceof OperatorError || error instanceof CopyRefused) {
      return { ok: false, message: error.message };
    }
    throw error;
  }
}

async function execute(deps: ExecuteControlDeps, request: ControlRequest): Promise<readonly string[]> {
  const { directory, jobs, copy, defaultQuarantineMs, gmail } = deps;
  switch (request.command) {
    case 'domain-list':
      return formatDomains(await directory.listDomains());
    case 'domain-add': {
      const quarantineMs =
        request.quarantineSeconds === undefined ? undefined : request.quarantineSeconds * 1000;
      const { name, refusesDmarcReject, discardsUnknown } = request;
      const domain = await addDomain(directory, {
        ...{ name, quarantineMs, defaultQuarantineMs },
        ...{ refusesDmarcReject, discardsUnknown },
      });
      return [`Domain ${domain.name} is active with id ${domain.id}.`];
    }
    case 'domain-disable': {
      const domain = await disableDomain(directory, request.name);
      return [`Domain ${domain.name} lends no new addresses; its sessions live on to their end.`];
    }
    case 'store-copy':
      return [(await copy.make()).file];
    case 'webhook-dead-list':
    case 'webhook-dead-replay':
      return executeWebhookRequest(jobs, request);
    case 'gmail-add':
    case 'gmail-list':
    case 'gmail-test':
    case 'gmail-disable':
    case 'gmail-enable':
    case 'gmail-remove':
    case 'secret-rotate':
      return executeGmailRequest(gmail, request);
    case 'domain-remove': {
      const ended = await removeDomain(directory, request.name);
      return [`Domain ${request.name.toLowerCase()} is removed; ${ended} of its sessions ended.`];
    }
    default:
      return executeOperatorRequest(deps, request);
  }
}

function formatDomains(domains: readonly Domain[]): string[] {
  if (domains.length === 0) return ['No domains. Add one: mayfly domain add example.org'];
  const rows = domains.map((domain) => [
    String(domain.id),
    domain.name,
    describeState(domain),
    `${domain.quarantineMs / 1000} s`,
  ]);
  return formatTable([['ID', 'DOMAIN', 'STATE', 'QUARANTINE'], ...rows]);
}

function describeState({ isActive, refusesDmarcReject, discardsUnknown }: Domain): string {
  return [
    isActive ? 'active' : 'disabled',
    ...(refusesDmarcReject ? ['refuses DMARC reject'] : []),
    ...(discardsUnknown ? ['discards mail for unknown addresses'] : []),
  ].join(', ');
}
