// The functions that write a group of deliveries to one shard or look up sessions there: statements on the shard's own
// tables, so that PostgreSQL caches their plans and Citus plans nothing. Every machine has the functions of all shards,
// because shards move; `deliver_here`, `find_sessions_here` and `find_holders_here` (functions.sql) call them once they
// have made sure that the shard is there and stays. They read arrays by unnest, which PostgreSQL takes for ten rows: for
// a thousand, as of generate_series, it reads a small shard whole instead of looking ten sessions up.

/** The tables of one shard, which are on one machine. */
export interface ShardTables {
  /** The shard of mayfly.sessions; part of the function's name. */
  readonly shardId: number;
  readonly sessions: string;
  readonly data_keys: string;
  readonly messages: string;
  readonly chunks: string;
  readonly outbox_news: string;
  readonly webhook_sessions: string;
}

/** Tables that the functions read or write. */
export const shardTableNames = [
  'sessions',
  'data_keys',
  'messages',
  'chunks',
  'outbox_news',
  'webhook_sessions',
] as const;

/** Returns the statements that create the functions of a shard of sessions. */
export function toShardFunctions(shard: ShardTables): readonly string[] {
  return [toDeliver(shard), toFindSessions(shard)];
}

/** Returns the statement that creates the function of a shard of addresses. */
export function toFindHolders(shardId: number): string {
  return `CREATE OR REPLACE FUNCTION mayfly.find_holders_${shardId}(p_address_keys bytea[], p_first integer, p_last integer)
RETURNS TABLE (o_place bigint, o_key bytea) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY
    SELECT p_first - 1 + i.nth, a.session_key
    FROM unnest(p_address_keys[p_first:p_last]) WITH ORDINALITY AS i (address_key, nth)
    JOIN mayfly.addresses_${shardId} a USING (address_key)
    WHERE num_nulls(a.free_at) = 1;
END $$`;
}

/** Equivalent to `find_sessions` of 0016-capture.sql. */
function toFindSessions(shard: ShardTables): string {
  return `CREATE OR REPLACE FUNCTION mayfly.find_sessions_${shard.shardId}(
  p_now bigint, p_keys bytea[], p_first integer, p_last integer
) RETURNS TABLE (
  o_place bigint, o_now bigint, o_key bytea, o_token_hash bytea, o_address bytea, o_created_at bigint, o_expires_at bigint,
  o_latest_end_at bigint, o_ended_at bigint, o_bucket integer, o_seq integer, o_version bigint, o_message_count integer,
  o_message_bytes bigint, o_account_id integer, o_data_key bytea, o_drops_oldest boolean
) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY
    SELECT p_first - 1 + i.nth, p_now, s.key, s.token_hash, s.address, s.created_at, s.expires_at, s.latest_end_at, s.ended_at,
      s.bucket, s.seq, s.version, s.message_count, s.message_bytes, s.account_id, k.data_key, s.drops_oldest
    FROM unnest(p_keys[p_first:p_last]) WITH ORDINALITY AS i (key, nth)
    JOIN mayfly.${shard.sessions} s USING (key)
    LEFT JOIN mayfly.${shard.data_keys} k ON k.session_key = s.key;
END $$`;
}

/** Equivalent to `deliver_group` of 0008-groups.sql. */
function toDeliver(shard: ShardTables): string {
  return `CREATE OR REPLACE FUNCTION mayfly.deliver_${shard.shardId}(
  p_first integer, p_last integer, p_at bigint, p_sizes bigint[], p_ingests bigint[], p_starts integer[],
  p_meta_lengths integer[], p_chunk_lengths integer[], p_bytes bytea, p_messages_max bigint, p_bytes_max bigint,
  p_outbox integer, OUT o_places integer[], OUT o_seqs integer[]
) LANGUAGE plpgsql AS $$
DECLARE
  v_keys bytea[];
BEGIN
  WITH asked AS (
    SELECT r.key, count(*)::integer AS rows, sum(r.size)::bigint AS bytes, array_agg(r.place) AS places
    FROM (
      SELECT substr(p_bytes, start, 16) AS key, size, p_first - 1 + nth::integer AS place
      FROM unnest(p_starts[p_first:p_last], p_sizes[p_first:p_last]) WITH ORDINALITY AS t (start, size, nth)
      ORDER BY 1, 3
    ) AS r
    GROUP BY r.key
    ORDER BY r.key
  ), taken AS (
    UPDATE mayfly.${shard.sessions} s
    SET seq = s.seq + a.rows, version = s.version + a.rows, message_count = s.message_count + a.rows,
      message_bytes = s.message_bytes + a.bytes
    FROM asked a
    WHERE s.key = a.key AND num_nulls(s.ended_at) = 1 AND s.expires_at > p_at
      AND s.message_count + a.rows <= p_messages_max
      AND s.message_bytes + a.bytes <= p_bytes_max AND s.seq + a.rows <= 2000000000
    RETURNING s.key, s.bucket, s.seq - a.rows AS seq_before, a.places
  ), numbered AS MATERIALIZED (
    SELECT t.key, t.bucket, t.seq_before + n.nth::integer AS seq, n.place
    FROM taken t, unnest(t.places) WITH ORDINALITY AS n (place, nth)
  ), noted AS (
    INSERT INTO mayfly.${shard.messages} (bucket, session_key, seq, received_at, size_bytes, ingest_id, meta)
    SELECT bucket, key, seq, p_at, p_sizes[place], p_ingests[place],
      substr(p_bytes, p_starts[place] + 16, p_meta_lengths[place])
    FROM numbered
  ), kept AS (
    INSERT INTO mayfly.${shard.chunks} (bucket, session_key, ingest_id, number, data)
    SELECT bucket, key, p_ingests[place], 0,
      substr(p_bytes, p_starts[place] + 16 + p_meta_lengths[place], p_chunk_lengths[place])
    FROM numbered
  )
  SELECT array_agg(place), array_agg(seq), CASE WHEN p_outbox > 0 THEN array_agg(key) END
  INTO o_places, o_seqs, v_keys
  FROM numbered;
  IF p_outbox > 0 AND o_places IS NOT NULL THEN
    INSERT INTO mayfly.${shard.outbox_news} (session_key, id, seq, kind, message_seq, at, outbox)
    SELECT n.key, p_ingests[n.place], n.seq, 'message.received', n.seq, p_at, p_outbox
    FROM unnest(v_keys, o_seqs, o_places) AS n (key, seq, place)
    WHERE p_outbox < 1073741824 OR p_outbox = 2147483647
      OR EXISTS (SELECT 1 FROM mayfly.${shard.webhook_sessions} w WHERE w.session_key = n.key);
  END IF;
END $$`;
}
