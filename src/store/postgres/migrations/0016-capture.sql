-- Capture sessions: their address is `*@LABEL.DOMAIN` (domain/capture.ts), and their oldest messages may make room for
-- new ones.

ALTER TABLE mayfly.sessions ADD COLUMN drops_oldest boolean NOT NULL DEFAULT false;

-- Like create_session, for a session that drops its oldest messages.
CREATE FUNCTION mayfly.create_dropping_session(
  p_now bigint, p_key bytea, p_token_hash bytea, p_address bytea, p_address_key bytea, p_data_key bytea,
  p_lifetime_ms bigint, p_total_ms bigint, p_quarantine_ms bigint, p_account_id integer, p_outbox integer,
  OUT o_outcome text, OUT o_at bigint, OUT o_bucket integer
) LANGUAGE plpgsql SET lock_timeout = '5s' SET jit = off AS $$
BEGIN
  SELECT c.o_outcome, c.o_at, c.o_bucket INTO o_outcome, o_at, o_bucket
  FROM mayfly.create_session(
    p_now, p_key, p_token_hash, p_address, p_address_key, p_data_key, p_lifetime_ms, p_total_ms, p_quarantine_ms,
    p_account_id, p_outbox
  ) AS c;
  IF o_outcome = 'created' THEN
    UPDATE mayfly.sessions SET drops_oldest = true WHERE key = p_key AND NOT drops_oldest;
  END IF;
END $$;

-- Unchanged (0002-sessions.sql, 0008-groups.sql), apart from an additional column.
DROP FUNCTION mayfly.find_sessions(bigint, bytea[]);
CREATE FUNCTION mayfly.find_sessions(p_now bigint, p_keys bytea[])
RETURNS TABLE (
  o_place bigint, o_now bigint, o_key bytea, o_token_hash bytea, o_address bytea, o_created_at bigint, o_expires_at bigint,
  o_latest_end_at bigint, o_ended_at bigint, o_bucket integer, o_seq integer, o_version bigint, o_message_count integer,
  o_message_bytes bigint, o_account_id integer, o_data_key bytea, o_drops_oldest boolean
) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  o_now := mayfly.now_ms(p_now);
  RETURN QUERY
    SELECT i.place, o_now, s.key, s.token_hash, s.address, s.created_at, s.expires_at, s.latest_end_at, s.ended_at,
      s.bucket, s.seq, s.version, s.message_count, s.message_bytes, s.account_id, k.data_key, s.drops_oldest
    FROM unnest(p_keys) WITH ORDINALITY AS i (key, place)
    JOIN mayfly.sessions s ON s.key = i.key
    LEFT JOIN mayfly.data_keys k ON k.session_key = s.key;
END $$;

DROP FUNCTION mayfly.find_holders(bigint, bytea[]);
CREATE FUNCTION mayfly.find_holders(p_now bigint, p_address_keys bytea[])
RETURNS TABLE (
  o_place bigint, o_now bigint, o_key bytea, o_token_hash bytea, o_address bytea, o_created_at bigint, o_expires_at bigint,
  o_latest_end_at bigint, o_ended_at bigint, o_bucket integer, o_seq integer, o_version bigint, o_message_count integer,
  o_message_bytes bigint, o_account_id integer, o_data_key bytea, o_drops_oldest boolean
) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_memoize = off SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  o_now := mayfly.now_ms(p_now);
  RETURN QUERY
    SELECT i.place, o_now, s.key, s.token_hash, s.address, s.created_at, s.expires_at, s.latest_end_at, s.ended_at,
      s.bucket, s.seq, s.version, s.message_count, s.message_bytes, s.account_id, k.data_key, s.drops_oldest
    FROM unnest(p_address_keys) WITH ORDINALITY AS i (address_key, place)
    JOIN mayfly.addresses a ON a.address_key = i.address_key
    JOIN mayfly.sessions s ON s.key = a.session_key
    LEFT JOIN mayfly.data_keys k ON k.session_key = s.key
    WHERE num_nulls(a.free_at) = 1;
END $$;

-- Ends at most the given number of live sessions of a domain (p_suffix is `@` and its name), including capture
-- sessions at its labels, or of a Gmail account, and returns how many.
CREATE OR REPLACE FUNCTION mayfly.end_some_of(
  p_now bigint, p_suffix bytea, p_account_id integer, p_limit integer, p_outbox integer
) RETURNS SETOF bytea LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_keys bytea[];
BEGIN
  v_keys := ARRAY(
    SELECT key FROM mayfly.sessions
    WHERE ended_at IS NULL AND (
      account_id = p_account_id
      OR CASE WHEN substr(address_key, 1, 2) = '*@'::bytea THEN substr(address_key, 12) = substr(p_suffix, 2)
        ELSE substr(address_key, octet_length(address_key) - octet_length(p_suffix) + 1) = p_suffix END
    )
    ORDER BY key LIMIT p_limit FOR UPDATE
  );
  PERFORM mayfly.end_sessions(v_keys, mayfly.now_ms(p_now), p_outbox);
  RETURN QUERY SELECT unnest(v_keys);
END $$;

-- Deletes the oldest messages of a live session, whose row the caller has locked, until one of the given size fits: at
-- most a thousand. If that is not enough, deletes none and returns false.
CREATE FUNCTION mayfly.drop_oldest(
  p_key bytea, p_size bigint, p_messages_max bigint, p_bytes_max bigint, p_now bigint, p_outbox integer
) RETURNS boolean LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_session mayfly.sessions;
  v_gone mayfly.messages;
  v_last integer;
  v_count bigint;
  v_bytes bigint;
  v_seq integer;
BEGIN
  SELECT * INTO v_session FROM mayfly.sessions WHERE key = p_key;
  v_count := v_session.message_count;
  v_bytes := v_session.message_bytes;
  FOR v_gone IN
    SELECT * FROM mayfly.messages WHERE bucket = v_session.bucket AND session_key = p_key ORDER BY seq LIMIT 1000
  LOOP
    EXIT WHEN v_count < p_messages_max AND v_bytes + p_size <= p_bytes_max;
    v_count := v_count - 1;
    v_bytes := v_bytes - v_gone.size_bytes;
    v_last := v_gone.seq;
  END LOOP;
  IF v_count >= p_messages_max OR v_bytes + p_size > p_bytes_max THEN
    RETURN false;
  END IF;
  v_seq := v_session.seq;
  FOR v_gone IN
    SELECT * FROM mayfly.messages
    WHERE bucket = v_session.bucket AND session_key = p_key AND seq <= v_last ORDER BY seq
  LOOP
    v_seq := v_seq + 1;
    DELETE FROM mayfly.messages WHERE bucket = v_session.bucket AND session_key = p_key AND seq = v_gone.seq;
    DELETE FROM mayfly.notes WHERE bucket = v_session.bucket AND session_key = p_key AND seq = v_gone.seq;
    IF EXISTS (
      SELECT 1 FROM mayfly.chunks
      WHERE bucket = v_session.bucket AND session_key = p_key AND ingest_id = v_gone.ingest_id AND number = 1
    ) THEN
      INSERT INTO mayfly.garbage (session_key, bucket, ingest_id) VALUES (p_key, v_session.bucket, v_gone.ingest_id);
    ELSE
      PERFORM mayfly.drop_chunks(v_session.bucket, p_key, v_gone.ingest_id);
    END IF;
    INSERT INTO mayfly.events (bucket, session_key, seq, kind, at, message_seq)
    VALUES (v_session.bucket, p_key, v_seq, 'message.dropped', p_now, v_gone.seq);
    PERFORM mayfly.queue_events(
      'message.dropped', ARRAY[p_key], ARRAY[v_seq], ARRAY[v_gone.seq], ARRAY[p_now], p_outbox
    );
  END LOOP;
  UPDATE mayfly.sessions
  SET seq = v_seq, version = version + v_seq - v_session.seq, message_count = v_count, message_bytes = v_bytes
  WHERE key = p_key;
  RETURN true;
END $$;

-- Unchanged (0003-messages.sql), apart from sessions that drop their oldest messages. A message of the same call that
-- already has its number is written first, so that it can be the oldest.
CREATE OR REPLACE FUNCTION mayfly.deliver(
  p_now bigint, p_keys bytea[], p_sizes bigint[], p_metas bytea[], p_ingests bigint[], p_origins bytea[],
  p_chunk_rows integer[], p_chunk_numbers integer[], p_chunks bytea[],
  p_messages_max bigint, p_bytes_max bigint, p_outbox integer, p_is_retry boolean
) RETURNS TABLE (o_outcome text, o_seq integer, o_at bigint)
LANGUAGE plpgsql SET lock_timeout = '5s' SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  v_outcomes text[] := array_fill(NULL::text, ARRAY[cardinality(p_keys)]);
  v_told integer[] := array_fill(NULL::integer, ARRAY[cardinality(p_keys)]); -- seq to answer
  v_ats bigint[] := array_fill(v_now, ARRAY[cardinality(p_keys)]);
  v_seqs integer[] := array_fill(NULL::integer, ARRAY[cardinality(p_keys)]); -- of rows to be written
  v_buckets integer[] := array_fill(NULL::integer, ARRAY[cardinality(p_keys)]);
  i integer;
  v_key bytea;
  v_seq integer;
  v_at bigint;
  v_bucket integer;
  v_session mayfly.sessions;
BEGIN
  FOR i, v_key IN
    SELECT t.place, t.key FROM unnest(p_keys) WITH ORDINALITY AS t (key, place) ORDER BY t.key, t.place
  LOOP
    IF p_is_retry OR p_origins[i] IS NOT NULL THEN
      SELECT * INTO v_session FROM mayfly.sessions WHERE key = v_key FOR UPDATE;
      IF p_is_retry THEN
        SELECT m.seq, m.received_at INTO v_seq, v_at FROM mayfly.messages m
        WHERE m.bucket = v_session.bucket AND m.session_key = v_key AND m.ingest_id = p_ingests[i];
        IF FOUND THEN
          v_outcomes[i] := 'stored';
          v_told[i] := v_seq;
          v_ats[i] := v_at;
          CONTINUE;
        END IF;
      END IF;
      IF v_session.ended_at IS NULL AND v_session.expires_at > v_now AND EXISTS (
        SELECT 1 FROM mayfly.origins o
        WHERE o.bucket = v_session.bucket AND o.session_key = v_key AND o.origin = p_origins[i]
      ) THEN
        v_outcomes[i] := 'duplicate';
        CONTINUE;
      END IF;
    END IF;
    FOR attempt IN 1..2 LOOP
      UPDATE mayfly.sessions s
      SET seq = s.seq + 1, version = s.version + 1, message_count = s.message_count + 1,
        message_bytes = s.message_bytes + p_sizes[i]
      WHERE s.key = v_key AND s.ended_at IS NULL AND s.expires_at > v_now AND s.message_count < p_messages_max
        AND s.message_bytes + p_sizes[i] <= p_bytes_max AND s.seq < 2000000000
      RETURNING s.seq, s.bucket INTO v_seq, v_bucket;
      IF FOUND THEN
        v_outcomes[i] := 'stored';
        v_told[i] := v_seq;
        v_seqs[i] := v_seq;
        v_buckets[i] := v_bucket;
        IF p_origins[i] IS NOT NULL THEN
          INSERT INTO mayfly.origins (bucket, session_key, origin) VALUES (v_bucket, v_key, p_origins[i]);
        END IF;
        EXIT;
      END IF;
      v_session := mayfly.take_live(v_key, v_now, p_outbox);
      v_outcomes[i] := CASE WHEN v_session.key IS NULL THEN 'ended' ELSE 'full' END;
      EXIT WHEN v_session.key IS NULL OR NOT v_session.drops_oldest OR p_sizes[i] > p_bytes_max
        OR v_session.seq > 2000000000 - 2000;
      FOR j IN 1..cardinality(p_keys) LOOP
        CONTINUE WHEN p_keys[j] <> v_key OR v_seqs[j] IS NULL;
        INSERT INTO mayfly.messages (bucket, session_key, seq, received_at, size_bytes, ingest_id, meta)
        VALUES (v_buckets[j], v_key, v_seqs[j], v_now, p_sizes[j], p_ingests[j], p_metas[j]);
        INSERT INTO mayfly.chunks (bucket, session_key, ingest_id, number, data)
        SELECT v_buckets[j], v_key, p_ingests[j], c.number, c.data
        FROM unnest(p_chunk_rows, p_chunk_numbers, p_chunks) AS c (place, number, data) WHERE c.place = j;
        PERFORM mayfly.queue_events(
          'message.received', ARRAY[v_key], ARRAY[v_seqs[j]], ARRAY[v_seqs[j]], ARRAY[v_now], p_outbox
        );
        v_seqs[j] := NULL;
      END LOOP;
      EXIT WHEN NOT mayfly.drop_oldest(v_key, p_sizes[i], p_messages_max, p_bytes_max, v_now, p_outbox);
    END LOOP;
  END LOOP;
  INSERT INTO mayfly.messages (bucket, session_key, seq, received_at, size_bytes, ingest_id, meta)
  SELECT t.bucket, t.key, t.seq, v_now, t.size, t.ingest, t.meta
  FROM unnest(v_buckets, p_keys, v_seqs, p_sizes, p_ingests, p_metas) AS t (bucket, key, seq, size, ingest, meta)
  WHERE t.seq IS NOT NULL;
  INSERT INTO mayfly.chunks (bucket, session_key, ingest_id, number, data)
  SELECT v_buckets[c.place], p_keys[c.place], p_ingests[c.place], c.number, c.data
  FROM unnest(p_chunk_rows, p_chunk_numbers, p_chunks) AS c (place, number, data)
  WHERE v_seqs[c.place] IS NOT NULL;
  PERFORM mayfly.queue_events('message.received', p_keys, v_seqs, v_seqs, v_ats, p_outbox);
  RETURN QUERY SELECT * FROM unnest(v_outcomes, v_told, v_ats);
END $$;
