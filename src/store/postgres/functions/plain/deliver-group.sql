-- A group of deliveries in one commit, each of one chunk: what nearly all of them are. `p_bytes` holds, for the row at
-- each place, its session's key, its meta and its chunk, from p_starts (counted from 1); one value rather than arrays of
-- large ones, of which PostgreSQL would make three copies more. One UPDATE in the order of the keys is the liveness
-- check, the quota check and the numbers of all. Answers which places were stored, with which seqs. Of the others nothing
-- is changed or locked: `deliver` tells what is the matter with them.
CREATE OR REPLACE FUNCTION mayfly.deliver_group(
  p_now bigint, p_sizes bigint[], p_ingests bigint[], p_starts integer[], p_meta_lengths integer[],
  p_chunk_lengths integer[], p_bytes bytea, p_messages_max bigint, p_bytes_max bigint, p_outbox integer,
  OUT o_at bigint, OUT o_places integer[], OUT o_seqs integer[]
) LANGUAGE plpgsql
SET lock_timeout = '5s' SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_keys bytea[];
BEGIN
  o_at := mayfly.now_ms(p_now);
  WITH asked AS (
    SELECT r.key, count(*)::integer AS rows, sum(r.size)::bigint AS bytes, array_agg(r.place) AS places
    FROM (
      SELECT substr(p_bytes, t.start, 16) AS key, t.size, t.place::integer AS place
      FROM unnest(p_starts, p_sizes) WITH ORDINALITY AS t (start, size, place)
      ORDER BY 1, 3
    ) AS r
    GROUP BY r.key
    ORDER BY r.key
  ), taken AS (
    UPDATE mayfly.sessions s
    SET seq = s.seq + a.rows, version = s.version + a.rows, message_count = s.message_count + a.rows,
      message_bytes = s.message_bytes + a.bytes
    FROM asked a
    -- Written so that no index but the key's can serve: by another one a plan made while there were few sessions
    -- would go through all of them.
    WHERE s.key = a.key AND num_nulls(s.ended_at) = 1 AND s.expires_at > o_at
      AND s.message_count + a.rows <= p_messages_max
      AND s.message_bytes + a.bytes <= p_bytes_max AND s.seq + a.rows <= 2000000000
    RETURNING s.key, s.bucket, s.seq - a.rows AS seq_before, a.places
  ), numbered AS MATERIALIZED (
    SELECT t.key, t.bucket, t.seq_before + n.nth::integer AS seq, n.place
    FROM taken t, unnest(t.places) WITH ORDINALITY AS n (place, nth)
  ), noted AS (
    INSERT INTO mayfly.messages (bucket, session_key, seq, received_at, size_bytes, ingest_id, meta)
    SELECT bucket, key, seq, o_at, p_sizes[place], p_ingests[place],
      substr(p_bytes, p_starts[place] + 16, p_meta_lengths[place])
    FROM numbered
  ), kept AS (
    INSERT INTO mayfly.chunks (bucket, session_key, ingest_id, number, data)
    SELECT bucket, key, p_ingests[place], 0,
      substr(p_bytes, p_starts[place] + 16 + p_meta_lengths[place], p_chunk_lengths[place])
    FROM numbered
  )
  SELECT array_agg(place), array_agg(seq), CASE WHEN p_outbox > 0 THEN array_agg(key) END
  INTO o_places, o_seqs, v_keys
  FROM numbered;
  IF p_outbox > 0 AND o_places IS NOT NULL THEN
    PERFORM mayfly.queue_events(
      'message.received', v_keys, o_seqs, o_seqs, array_fill(o_at, ARRAY[cardinality(o_seqs)]), p_outbox
    );
  END IF;
END $$;
