// The database server of a shared store.

import type { ServerFacts } from '../facts.ts';
import { type Finding, findingsOf } from '../finding.ts';

/** As many as a node opens at most. */
const ofNode = 12;

/** Empty for a store without a server. */
export function checkDatabase({ database }: Pick<ServerFacts, 'database'>): Finding[] {
  if (database === undefined) return [];
  const found = findingsOf('database');
  if (database === 'unknown') {
    return [
      found.unknown(
        'The settings of the database server could not be read.',
        'See whether it can be reached.',
      ),
    ];
  }
  const { off, connections, connectionsMax } = database;
  const lossy = off.map((name) =>
    found.failed(
      `${name} is off in PostgreSQL: a power cut loses mail, and may ruin the database.`,
      `Set ${name} = on in postgresql.conf, and reload it.`,
    ),
  );
  const free = Math.max(0, connectionsMax - connections);
  const counted = `${connections} of ${connectionsMax} connections to PostgreSQL are in use`;
  if (free < ofNode) {
    const more = 'Raise max_connections in postgresql.conf, and restart it; a node opens up to 12.';
    return [...lossy, found.warning(`${counted}, so a node may not get its own.`, more)];
  }
  return lossy.length > 0 ? lossy : [found.ok(`${counted}, and what is committed is on disk.`)];
}
