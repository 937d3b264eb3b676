-- Cheaper deliveries, and statistics that cost less than the mail they are about. Older programs need not know.
-- needs: 7

-- A group of deliveries in one commit, each of one chunk: what nearly all of them are. `p_bytes` holds, for the row at
-- each place, its session's key, its meta and its chunk, from p_starts (counted from 1); one value rather than arrays of
-- large ones, of which PostgreSQL would make three copies more. One UPDATE in the order of the keys is the liveness
-- check, the quota check and the numbers of all. Answers which places were stored, with which seqs. Of the others nothing
-- is changed or locked: `deliver` tells what is the matter with them.
CREATE FUNCTION mayfly.deliver_group(
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

-- All look-ups here go by key, so a rough idea of a partition is enough. By default PostgreSQL would read and copy 30,000
-- whole rows of it, 4 KB each, again and again: a fifth of what taking in mail cost.
CREATE FUNCTION mayfly.set_statistics(p_table regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_column record;
BEGIN
  FOR v_column IN
    SELECT attname, attname IN ('bucket', 'data', 'meta', 'glance', 'authentication', 'sealed') AS is_idle
    FROM pg_attribute WHERE attrelid = p_table AND attnum > 0 AND NOT attisdropped
  LOOP
    EXECUTE format(
      'ALTER TABLE %s ALTER COLUMN %I SET STATISTICS %s', p_table, v_column.attname,
      CASE WHEN v_column.is_idle THEN 0 ELSE 10 END
    );
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION mayfly.make_bucket(p_bucket integer) RETURNS void LANGUAGE plpgsql
SET lock_timeout = '5s' SET jit = off AS $$
DECLARE
  v_parent text;
  v_name text;
BEGIN
  PERFORM pg_advisory_xact_lock(1296123462, 2);
  PERFORM 1 FROM mayfly.buckets WHERE bucket = p_bucket;
  IF FOUND THEN
    RETURN;
  END IF;
  FOREACH v_parent IN ARRAY ARRAY['messages', 'chunks', 'notes', 'events', 'attempts', 'origins'] LOOP
    v_name := v_parent || '_' || p_bucket;
    EXECUTE format('CREATE TABLE mayfly.%I (LIKE mayfly.%I INCLUDING ALL)', v_name, v_parent);
    IF v_parent = 'chunks' THEN
      EXECUTE format('ALTER TABLE mayfly.%I SET (toast_tuple_target = 8160)', v_name);
    END IF;
    PERFORM mayfly.set_statistics(format('mayfly.%I', v_name)::regclass);
    EXECUTE format('ALTER TABLE mayfly.%I ATTACH PARTITION mayfly.%I FOR VALUES IN (%s)', v_parent, v_name, p_bucket);
  END LOOP;
  INSERT INTO mayfly.buckets (bucket) VALUES (p_bucket);
END $$;

DO $$
BEGIN
  PERFORM mayfly.set_statistics(i.inhrelid::regclass)
  FROM pg_inherits i
  WHERE i.inhparent IN (
    'mayfly.messages'::regclass, 'mayfly.chunks'::regclass, 'mayfly.notes'::regclass, 'mayfly.events'::regclass,
    'mayfly.attempts'::regclass, 'mayfly.origins'::regclass
  );
END $$;

-- An array's length is known to a plan made for it and not to one for all, so that the first looked cheaper and
-- PostgreSQL planned anew at each call: as long as the look-up itself took. A plan that is kept must serve when the
-- tables have grown, so here too no index but the key's can do: that of live addresses would be read from end to end.
ALTER FUNCTION mayfly.find_sessions(bigint, bytea[]) SET plan_cache_mode = force_generic_plan;
CREATE OR REPLACE FUNCTION mayfly.find_holders(p_now bigint, p_address_keys bytea[])
RETURNS TABLE (
  o_place bigint, o_now bigint, o_key bytea, o_token_hash bytea, o_address bytea, o_created_at bigint, o_expires_at bigint,
  o_latest_end_at bigint, o_ended_at bigint, o_bucket integer, o_seq integer, o_version bigint, o_message_count integer,
  o_message_bytes bigint, o_account_id integer, o_data_key bytea
) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_memoize = off SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  o_now := mayfly.now_ms(p_now);
  RETURN QUERY
    SELECT i.place, o_now, s.key, s.token_hash, s.address, s.created_at, s.expires_at, s.latest_end_at, s.ended_at,
      s.bucket, s.seq, s.version, s.message_count, s.message_bytes, s.account_id, k.data_key
    FROM unnest(p_address_keys) WITH ORDINALITY AS i (address_key, place)
    JOIN mayfly.addresses a ON a.address_key = i.address_key
    JOIN mayfly.sessions s ON s.key = a.session_key
    LEFT JOIN mayfly.data_keys k ON k.session_key = s.key
    WHERE num_nulls(a.free_at) = 1;
END $$;
