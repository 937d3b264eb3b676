// Carries out operator commands on an open store: in the running service for what comes over its socket, in the
// command's own process when nothing runs.

import { addDomain, disableDomain, OperatorError, removeDomain } from '../service/manage-domains.ts';
import type { DirectoryStore, Domain } from '../store/directory-store.ts';
import type { ControlRequest, ControlResponse } from './control-protocol.ts';

export interface ExecuteControlDeps {
  readonly directory: DirectoryStore;
  readonly defaultQuarantineMs: number;
}

/** Answers a wrong request with a message; throws only for faults of ours. */
export async function executeControl(
  deps: ExecuteControlDeps,
  request: ControlRequest,
): Promise<ControlResponse> {
  try {
    return { ok: true, lines: await execute(deps, request) };
  } catch (error) {
    if (error instanceof OperatorError) return { ok: false, message: error.message };
    throw error;
  }
}

async function execute(
  { directory, defaultQuarantineMs }: ExecuteControlDeps,
  request: ControlRequest,
): Promise<string[]> {
  switch (request.command) {
    case 'domain-list':
      return formatDomains(await directory.listDomains());
    case 'domain-add': {
      const quarantineMs =
        request.quarantineSeconds === undefined ? undefined : request.quarantineSeconds * 1000;
      const domain = await addDomain(directory, { name: request.name, quarantineMs, defaultQuarantineMs });
      return [`Domain ${domain.name} is active with id ${domain.id}.`];
    }
    case 'domain-disable': {
      const domain = await disableDomain(directory, request.name);
      return [`Domain ${domain.name} lends no new addresses; its sessions live on to their end.`];
    }
    case 'domain-remove': {
      const ended = await removeDomain(directory, request.name);
      return [`Domain ${request.name.toLowerCase()} is removed; ${ended} of its sessions ended.`];
    }
  }
}

function formatDomains(domains: readonly Domain[]): string[] {
  if (domains.length === 0) return ['No domains. Add one: mayfly domain add example.org'];
  const rows = domains.map((domain) => [
    String(domain.id),
    domain.name,
    domain.isActive ? 'active' : 'disabled',
    `${domain.quarantineMs / 1000} s`,
  ]);
  return formatTable([['ID', 'DOMAIN', 'STATE', 'QUARANTINE'], ...rows]);
}

function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
