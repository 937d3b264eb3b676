// JobsStore on PostgreSQL. The functions that write events also write the outbox (functions/); rows are leased with
// SKIP LOCKED, so that nodes never wait for each other. Made by open-postgres-store.ts.

import { BatchedLookup } from '#postgres/batched-lookup';
import { toByteaArray, toInt4Array, toInt8Array } from '#postgres/binary-array';
import type { Connections, Statement, Values } from '#postgres/connections';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { type SessionKey, toKeyText } from '../../domain/session.ts';
import type { DueEndpoint, DueExcept, LeaseShare } from '#notifications/webhook-slots';
import {
  type DeadWebhook,
  type DueWebhook,
  type EndpointStatus,
  type JobsStore,
  type KeptContent,
  type NewEndpoint,
  operatorEndpointId,
  type OutboxLease,
  type OutboxOverflow,
  type Subscriber,
  type TidyLimits,
  type TryVerdict,
} from '../jobs-store.ts';
import { type DeadRow, type DueRow, type StatusRow, toDead, toDue, toStatus } from '../webhook-rows.ts';
import { asCallersError } from './database/callers-error.ts';
import * as sql from './jobs-statements.ts';
import type { Topology } from './topology.ts';

export interface PostgresJobsStoreOptions {
  readonly connections: Connections;
  readonly now: () => number | null;
  readonly topology: Pick<Topology, 'queuesLate' | 'takeNews' | 'tidyNews'>;
}

interface EndpointRow {
  readonly id: number;
  readonly standing: DueEndpoint['standing'];
  readonly host_tag: Buffer | null;
  readonly maker_tag: Buffer | null;
}

export class PostgresJobsStore implements JobsStore {
  readonly #connections: Connections;
  readonly #now: () => number | null;
  readonly #topology: PostgresJobsStoreOptions['topology'];
  readonly #subscribers = new BatchedLookup(
    (keys: readonly SessionKey[]) => this.#listSubscribers(keys),
    () => new MayflyError('unavailable', 'Too many look-ups wait for the database.'),
  );

  constructor({ connections, now, topology }: PostgresJobsStoreOptions) {
    this.#connections = connections;
    this.#now = now;
    this.#topology = topology;
  }

  async countEndpoints(hostTag: Uint8Array): Promise<number> {
    const rows = await this.#read<{ count: number }>(sql.countEndpoints, [this.#now(), hostTag]);
    return rows[0]?.count ?? 0;
  }

  addEndpoint({ key, sealed, hostTag, makerTag }: NewEndpoint): Promise<boolean> {
    return this.#changes(sql.addEndpoint, [this.#now(), key, sealed, hostTag, makerTag ?? null]);
  }

  async findEndpoint(key: SessionKey): Promise<EndpointStatus | undefined> {
    await this.#topology.takeNews(this.#connections);
    const [row] = await this.#read<StatusRow>(sql.findEndpoint, [key]);
    return row && toStatus(row);
  }

  /** In one transaction with the waiting rows: an event between the two would be held back forever. */
  activateEndpoint({ rowId, lease }: OutboxLease): Promise<boolean> {
    return asCallersError(
      this.#connections.transaction(async (run) => {
        const [passed] = await run<{ endpoint_id: number }>(sql.passChallenge, [rowId, lease]);
        if (!passed) return false;
        await run(sql.setState, [this.#now(), passed.endpoint_id, 'active', null]);
        await run(sql.activateRows, [this.#now(), passed.endpoint_id]);
        return true;
      }),
    );
  }

  async closeEndpoint(id: number, error: string): Promise<void> {
    await this.#write(sql.setState, [this.#now(), id, 'closed', error]);
    await this.#write(sql.dropRows, [id]);
  }

  async listDueEndpoints({ limit, except }: { limit: number; except: DueExcept }): Promise<DueEndpoint[]> {
    await this.#topology.takeNews(this.#connections);
    const { standings, endpoints, hostTags, makerTags } = except;
    const rows = await this.#read<EndpointRow>(sql.listDueEndpoints, [
      this.#now(),
      limit,
      standings.join(),
      toInt8Array(endpoints),
      toByteaArray(hostTags),
      toByteaArray(makerTags),
    ]);
    return rows.map(({ id, standing, host_tag: hostTag, maker_tag: makerTag }) => ({
      endpointId: id,
      standing,
      hostTag,
      makerTag,
    }));
  }

  async leaseDue({
    leaseMs,
    shares,
  }: {
    readonly leaseMs: number;
    readonly shares: readonly LeaseShare[];
  }): Promise<DueWebhook[]> {
    await this.#topology.takeNews(this.#connections);
    const ids = shares.map(({ endpointId }) => endpointId);
    const counts = shares.map(({ rows }) => rows);
    const values = [this.#now(), leaseMs, toInt8Array(ids), toInt4Array(counts)];
    const rows = await this.#write<DueRow>(sql.leaseDue, values);
    const found = new Set(rows.map(({ endpoint_id: id }) => id));
    const inVain = ids.filter((id) => id !== operatorEndpointId && !found.has(id));
    if (inVain.length > 0) await this.#write(sql.refreshEndpoints, [toInt8Array(inVain)]);
    return rows.map(toDue);
  }

  async finish({ rowId, lease }: OutboxLease, { error, restMs = 0 }: TryVerdict = {}): Promise<boolean> {
    // A newer event may have replaced the row.
    await this.#topology.takeNews(this.#connections);
    return this.#changes(sql.finish, [this.#now(), rowId, lease, error ?? null, restMs]);
  }

  postpone(
    { rowId, lease }: OutboxLease,
    { delayMs, isTry, error, restMs = 0 }: TryVerdict & { readonly delayMs: number; readonly isTry: boolean },
  ): Promise<boolean> {
    return isTry
      ? this.#changes(sql.retry, [this.#now(), rowId, lease, error ?? null, restMs, delayMs])
      : this.#changes(sql.postpone, [this.#now(), rowId, lease, delayMs]);
  }

  bury({ rowId, lease }: OutboxLease, reason: string): Promise<boolean> {
    return this.#changes(sql.bury, [this.#now(), rowId, lease, reason, 0]);
  }

  async listDead(limit: number): Promise<DeadWebhook[]> {
    return (await this.#read<DeadRow>(sql.listDead, [limit])).map(toDead);
  }

  async replayDead(rowId: number | 'all'): Promise<number> {
    return (await this.#write(sql.replayDead, [this.#now(), rowId === 'all' ? null : rowId])).length;
  }

  async listSubscribers(key: SessionKey): Promise<readonly Subscriber[]> {
    return (await this.#subscribers.find(key)) ?? [];
  }

  async #listSubscribers(keys: readonly SessionKey[]): Promise<(readonly Subscriber[])[]> {
    const rows = await this.#read<{ session_key: Uint8Array; id: number; sealed: Uint8Array }>(
      sql.listSubscribers,
      [toByteaArray(keys)],
    );
    const found = new Map<string, Subscriber[]>();
    for (const { session_key: key, id, sealed } of rows) {
      const name = toKeyText(key);
      found.set(name, [...(found.get(name) ?? []), { endpointId: id, sealed }]);
    }
    return keys.map((key) => found.get(toKeyText(key)) ?? []);
  }

  async keepContents(contents: readonly KeptContent[]): Promise<KeptContent[]> {
    await this.#topology.takeNews(this.#connections);
    const kept = await this.#write<{ session_key: Uint8Array; message_seq: number }>(sql.keepContents, [
      toByteaArray(contents.map(({ key }) => key)),
      toInt4Array(contents.map(({ messageId }) => messageId)),
      toInt8Array(contents.map(({ endpointId }) => endpointId)),
      toByteaArray(contents.map(({ content }) => content)),
    ]);
    // Rows are written with their events, but for those still on the sessions' machines.
    if (!this.#topology.queuesLate) return [];
    const names = new Set(kept.map((row) => nameOf(row.session_key, row.message_seq)));
    return contents.filter(({ key, messageId }) => !names.has(nameOf(key, messageId)));
  }

  async countContentBytes(): Promise<number> {
    const [row] = await this.#read<{ bytes: number }>(sql.countContentBytes, []);
    return row?.bytes ?? 0;
  }

  async takeOverflow(): Promise<OutboxOverflow[]> {
    await this.#topology.takeNews(this.#connections);
    const rows = await this.#write<{ endpoint_id: number; events: number }>(sql.takeOverflow, []);
    return rows.map(({ endpoint_id: endpointId, events }) => ({ endpointId, events }));
  }

  async tidy({ giveUpMs, deadMs, deadPerEndpoint }: TidyLimits): Promise<void> {
    await this.#topology.takeNews(this.#connections);
    await this.#topology.tidyNews(this.#connections);
    while (await this.#changes(sql.buryOld, [this.#now(), giveUpMs]));
    await this.#write(sql.dropDead, [this.#now(), deadMs]);
    if (Number.isFinite(deadPerEndpoint)) await this.#write(sql.dropDeadBeyond, [deadPerEndpoint]);
    await this.#write(sql.endPending, [this.#now()]);
    await this.#write(sql.dropClosed, [operatorEndpointId]);
    while (await this.#changes(sql.challengeAgain, [this.#now()]));
    await this.#write(sql.dropEndpoints, [operatorEndpointId]);
    while (await this.#changes(sql.activateLate, [this.#now()]));
    await this.#dropContents();
  }

  /** Drops contents of sessions whose end was not queued, such as where webhooks are off. */
  async #dropContents(): Promise<void> {
    const keys = (await this.#read<{ key: SessionKey }>(sql.listContentSessions, [])).map(({ key }) => key);
    if (keys.length === 0) return;
    const live = await this.#read<{ key: SessionKey }>(sql.listLive, [toByteaArray(keys)]);
    const names = new Set(live.map(({ key }) => toKeyText(key)));
    const ended = keys.filter((key) => !names.has(toKeyText(key)));
    if (ended.length > 0) await this.#write(sql.dropContents, [toByteaArray(ended)]);
  }

  async #changes(change: Statement, values: Values): Promise<boolean> {
    return (await this.#write(change, values)).length > 0;
  }

  #write<Row extends object>(change: Statement, values: Values): Promise<Row[]> {
    return asCallersError(this.#connections.write<Row>(change, values));
  }

  #read<Row extends object>(query: Statement, values: Values): Promise<Row[]> {
    return asCallersError(this.#connections.read<Row>(query, values));
  }
}

function nameOf(key: Uint8Array, messageId: number): string {
  return `${toKeyText(key)}${messageId}`;
}
