// The functions that write a group of deliveries to a machine or look up sessions there: statements on the shards' own
// tables, one branch for each shard, so that PostgreSQL caches their plans and Citus has nothing to plan. Every machine
// has the branches of all shards, because shards move. They read arrays with unnest, for which PostgreSQL estimates ten
// rows. At the thousand it estimates for generate_series, it would scan a small shard instead of looking up ten
// sessions.

import { readFileSync } from 'node:fs';

import { ownStates } from '../own-states.ts';

/** The tables of one shard, which are on one machine. */
export interface ShardTables {
  /** The shard of mayfly.sessions; part of the function's name. */
  readonly shardId: number;
  readonly sessions: string;
  readonly messages: string;
  readonly chunks: string;
  readonly outbox_news: string;
  readonly webhook_sessions: string;
}

/** Tables that the functions read or write. */
export const shardTableNames = ['sessions', 'messages', 'chunks', 'outbox_news', 'webhook_sessions'] as const;

/** Returns the statements that create the functions, in order. @param addressShards shards of mayfly.addresses */
export function toShardFunctions(
  shards: readonly ShardTables[],
  addressShards: readonly number[],
): readonly string[] {
  return [
    ...shards.map(toDeliver),
    toDeliverHere(shards),
    toFindSessions(shards),
    toFindHolders(addressShards),
  ];
}

const plannerSettings =
  'SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off\n' +
  'SET plan_cache_mode = force_generic_plan';

type Branch = readonly [shardId: number, statement: string];

/** Runs the statement of each shard in `p_shards`; `otherwise` runs for a shard without one. */
function toBranches(branches: readonly Branch[], otherwise: string): string {
  const cases = branches.map(([shardId, statement]) => `      WHEN ${shardId} THEN\n        ${statement};`);
  return `  FOR i IN 1..cardinality(p_shards) LOOP
    v_first := p_firsts[i];
    v_last := coalesce(p_firsts[i + 1] - 1, v_count);
    CASE p_shards[i]
${cases.join('\n')}
      ELSE ${otherwise};
    END CASE;
  END LOOP;`;
}

/**
 * Like deliver_group, on the one machine that holds the shards of all its sessions; called there, or routed there by
 * the distribution argument p_key. `p_shards` are shards of mayfly.sessions in ascending order, and p_firsts gives the
 * first place of each shard's rows. The lock is the one that Citus itself takes for a write, so that a shard does not
 * move meanwhile; rows of a shard that has moved are left over, and o_is_moved is set.
 */
function toDeliverHere(shards: readonly ShardTables[]): string {
  const branches = shards.map(
    ({ shardId }) =>
      [
        shardId,
        `IF ${shardId} = ANY (v_here) THEN
          SELECT d.o_places, d.o_seqs INTO v_places, v_seqs
          FROM mayfly.deliver_${shardId}(
            v_first, v_last, o_at, p_sizes, p_ingests, p_starts, p_meta_lengths, p_chunk_lengths, p_bytes, p_messages_max,
            p_bytes_max, p_outbox
          ) AS d;
          o_places := o_places || v_places;
          o_seqs := o_seqs || v_seqs;
        ELSE
          o_is_moved := true;
        END IF`,
      ] as const,
  );
  return `CREATE OR REPLACE FUNCTION mayfly.deliver_here(
  p_key bytea, p_shards bigint[], p_firsts integer[], p_now bigint, p_sizes bigint[], p_ingests bigint[],
  p_starts integer[], p_meta_lengths integer[], p_chunk_lengths integer[], p_bytes bytea, p_messages_max bigint,
  p_bytes_max bigint, p_outbox integer,
  OUT o_at bigint, OUT o_places integer[], OUT o_seqs integer[], OUT o_is_moved boolean
) LANGUAGE plpgsql
SET lock_timeout = '5s' SET enable_memoize = off SET citus.enable_manual_changes_to_shards = on
${plannerSettings} AS $$
DECLARE
  v_count integer := cardinality(p_sizes);
  v_here bigint[];
  v_first integer;
  v_last integer;
  v_places integer[];
  v_seqs integer[];
BEGIN
  o_at := coalesce(p_now, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  o_is_moved := false;
  PERFORM lock_shard_metadata(5, p_shards);
  v_here := ARRAY(
    SELECT p.shardid FROM pg_catalog.pg_dist_placement p
    WHERE p.shardid = ANY (p_shards) AND p.groupid = (SELECT groupid FROM pg_catalog.pg_dist_local_group LIMIT 1)
  );
${toBranches(branches, 'o_is_moved := true')}
END $$`;
}

const moved = `RAISE EXCEPTION USING ERRCODE = '${ownStates.moved}', MESSAGE = 'A shard is new.'`;
const declareNow =
  '  v_now bigint := coalesce(p_now, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint);\n';

/** Returns the end of a look-up's function. @param keys the parameter that is looked up */
function toLookupBody(keys: string, branches: readonly Branch[], declared = ''): string {
  return `${plannerSettings} AS $$
DECLARE
${declared}  v_count integer := cardinality(${keys});
  v_first integer;
  v_last integer;
BEGIN
  PERFORM mayfly.stay_here(p_shards);
${toBranches(branches, moved)}
END $$`;
}

/**
 * Like find_sessions, on the one machine that holds the shards of all the keys. `p_firsts` is as in deliver_here. A
 * missing shard raises a distinct error, after which the caller goes to the coordinator.
 */
function toFindSessions(shards: readonly ShardTables[]): string {
  const branches = shards.map(
    ({ shardId, sessions }) =>
      [
        shardId,
        `RETURN QUERY
          SELECT v_first - 1 + i.nth, v_now, s.key, s.token_hash, s.address, s.created_at, s.expires_at, s.latest_end_at,
            s.ended_at, s.bucket, s.seq, s.version, s.message_count, s.message_bytes, s.account_id, s.public_key,
            s.salt, s.drops_oldest
          FROM unnest(p_keys[v_first:v_last]) WITH ORDINALITY AS i (key, nth)
          JOIN mayfly.${sessions} s ON s.key = i.key`,
      ] as const,
  );
  return `CREATE OR REPLACE FUNCTION mayfly.find_sessions_here(
  p_now bigint, p_shards bigint[], p_firsts integer[], p_keys bytea[]
) RETURNS TABLE (
  o_place bigint, o_now bigint, o_key bytea, o_token_hash bytea, o_address bytea, o_created_at bigint, o_expires_at bigint,
  o_latest_end_at bigint, o_ended_at bigint, o_bucket integer, o_seq integer, o_version bigint, o_message_count integer,
  o_message_bytes bigint, o_account_id integer, o_public_key bytea, o_salt bytea, o_drops_oldest boolean
) LANGUAGE plpgsql
${toLookupBody('p_keys', branches, declareNow)}`;
}

/** Looks up the sessions that hold these addresses, in the same way. */
function toFindHolders(shards: readonly number[]): string {
  const branches = shards.map(
    (shardId) =>
      [
        shardId,
        `RETURN QUERY
          SELECT v_first - 1 + i.nth, a.session_key
          FROM unnest(p_address_keys[v_first:v_last]) WITH ORDINALITY AS i (address_key, nth)
          JOIN mayfly.addresses_${shardId} a ON a.address_key = i.address_key
          WHERE num_nulls(a.free_at) = 1`,
      ] as const,
  );
  return `CREATE OR REPLACE FUNCTION mayfly.find_holders_here(
  p_shards bigint[], p_firsts integer[], p_address_keys bytea[]
) RETURNS TABLE (o_place bigint, o_key bytea) LANGUAGE plpgsql
${toLookupBody('p_address_keys', branches)}`;
}

const groupText = readFileSync(new URL('../functions/plain/deliver-group.sql', import.meta.url), 'utf8');

/** Returns the statement of `deliver_group` for the tables of a shard, and for the rows from p_first to p_last. */
function toGroupStatement(shard: ShardTables): string {
  const [from, to] = ['  WITH asked AS (', '  IF p_outbox > 0'].map((piece) => groupText.indexOf(piece));
  const changes = [
    ['mayfly.sessions ', `mayfly.${shard.sessions} `],
    ['mayfly.messages ', `mayfly.${shard.messages} `],
    ['mayfly.chunks ', `mayfly.${shard.chunks} `],
    ['o_at', 'p_at'],
    ['t.place::integer AS place', 'p_first - 1 + t.place::integer AS place'],
    ['unnest(p_starts, p_sizes)', 'unnest(p_starts[p_first:p_last], p_sizes[p_first:p_last])'],
  ] as const;
  return changes.reduce(
    (text, [plain, ofShard]) => {
      if (!text.includes(plain)) throw new Error(`deliver-group.sql has no ${plain}.`);
      return text.replaceAll(plain, ofShard);
    },
    groupText.slice(from, to),
  );
}

/** Does what `deliver_group` of functions/plain/ does, by the same statement. */
function toDeliver(shard: ShardTables): string {
  return `CREATE OR REPLACE FUNCTION mayfly.deliver_${shard.shardId}(
  p_first integer, p_last integer, p_at bigint, p_sizes bigint[], p_ingests bigint[], p_starts integer[],
  p_meta_lengths integer[], p_chunk_lengths integer[], p_bytes bytea, p_messages_max bigint, p_bytes_max bigint,
  p_outbox integer, OUT o_places integer[], OUT o_seqs integer[]
) LANGUAGE plpgsql AS $$
DECLARE
  v_keys bytea[];
BEGIN
${toGroupStatement(shard)}  IF p_outbox > 0 AND o_places IS NOT NULL THEN
    INSERT INTO mayfly.${shard.outbox_news} (session_key, id, seq, kind, message_seq, at, outbox)
    SELECT n.key, p_ingests[n.place], n.seq, 'message.received', n.seq, p_at, p_outbox
    FROM unnest(v_keys, o_seqs, o_places) AS n (key, seq, place)
    WHERE p_outbox < 1073741824
      OR EXISTS (SELECT 1 FROM mayfly.${shard.webhook_sessions} w WHERE w.session_key = n.key);
  END IF;
END $$`;
}
