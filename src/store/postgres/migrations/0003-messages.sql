-- The operations on messages, in one round trip each, by the rules of 0002-sessions.sql.

-- Delivers a group in one commit. Returns for each row, in order: `stored` with its seq and time, `ended`, `full`, or
-- `duplicate` (its origin is in the session already). One UPDATE checks liveness and quota and takes the number.
-- Chunks belong to the row with their ordinal; there are none if the caller has written them. `p_is_retry`: an earlier
-- commit of the same rows may have succeeded without its answer arriving.
CREATE FUNCTION mayfly.deliver(
  p_now bigint, p_keys bytea[], p_sizes bigint[], p_metas bytea[], p_ingests bigint[], p_origins bytea[],
  p_chunk_rows integer[], p_chunk_numbers integer[], p_chunks bytea[],
  p_messages_max bigint, p_bytes_max bigint, p_outbox integer, p_is_retry boolean
) RETURNS TABLE (o_outcome text, o_seq integer, o_at bigint)
LANGUAGE plpgsql SET lock_timeout = '5s' SET enable_seqscan = off AS $$
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
    ELSE
      v_session := mayfly.take_live(v_key, v_now, p_outbox);
      v_outcomes[i] := CASE WHEN v_session.key IS NULL THEN 'ended' ELSE 'full' END;
    END IF;
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

CREATE FUNCTION mayfly.drop_chunks(p_bucket integer, p_key bytea, p_ingest bigint)
RETURNS void LANGUAGE sql AS $$
  DELETE FROM mayfly.chunks WHERE bucket = p_bucket AND session_key = p_key AND ingest_id = p_ingest
$$;

-- Keeps at most the given number of attempts of each session, the newest ones; nothing for a session that is not live.
CREATE FUNCTION mayfly.add_attempts(
  p_now bigint, p_keys bytea[], p_ages_ms bigint[], p_sealed bytea[], p_entries_max integer
) RETURNS void LANGUAGE plpgsql SET lock_timeout = '5s' SET enable_seqscan = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
BEGIN
  PERFORM 1 FROM mayfly.sessions WHERE key = ANY (p_keys) ORDER BY key FOR UPDATE;
  INSERT INTO mayfly.attempts (bucket, session_key, at, number, sealed)
  SELECT t.bucket, t.key, t.at, nextval('mayfly.attempt_numbers'), t.sealed
  FROM (
    SELECT s.bucket, s.key, v_now - a.age_ms AS at, a.sealed
    FROM unnest(p_keys, p_ages_ms, p_sealed) WITH ORDINALITY AS a (key, age_ms, sealed, place)
    JOIN mayfly.sessions s ON s.key = a.key
    WHERE s.ended_at IS NULL AND s.expires_at > v_now
    ORDER BY a.place
  ) AS t;
  DELETE FROM mayfly.attempts a USING (
    SELECT x.bucket, x.session_key, x.at, x.number,
      row_number() OVER (PARTITION BY x.session_key ORDER BY x.at DESC, x.number DESC) AS place
    FROM mayfly.sessions s
    JOIN mayfly.attempts x ON x.bucket = s.bucket AND x.session_key = s.key
    WHERE s.key = ANY (p_keys)
  ) AS old
  WHERE old.place > p_entries_max AND a.bucket = old.bucket AND a.session_key = old.session_key
    AND a.at = old.at AND a.number = old.number;
END $$;

-- Deletes a message and keeps `p_attempt` in its place. Returns false if there is no such message, or its session is
-- not live.
CREATE FUNCTION mayfly.delete_message(
  p_now bigint, p_key bytea, p_seq integer, p_attempt bytea, p_entries_max integer, p_outbox integer
) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '5s' AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  live mayfly.sessions := mayfly.take_live(p_key, v_now, p_outbox);
  gone mayfly.messages;
BEGIN
  IF live.key IS NULL THEN
    RETURN false;
  END IF;
  DELETE FROM mayfly.messages WHERE bucket = live.bucket AND session_key = p_key AND seq = p_seq
  RETURNING * INTO gone;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM mayfly.notes WHERE bucket = live.bucket AND session_key = p_key AND seq = p_seq;
  -- Many chunks take time and are left to reclaim.
  IF EXISTS (
    SELECT 1 FROM mayfly.chunks
    WHERE bucket = live.bucket AND session_key = p_key AND ingest_id = gone.ingest_id AND number = 1
  ) THEN
    INSERT INTO mayfly.garbage (session_key, bucket, ingest_id) VALUES (p_key, live.bucket, gone.ingest_id);
  ELSE
    PERFORM mayfly.drop_chunks(live.bucket, p_key, gone.ingest_id);
  END IF;
  IF p_attempt IS NOT NULL THEN
    PERFORM mayfly.add_attempts(
      v_now, ARRAY[p_key], ARRAY[v_now - gone.received_at], ARRAY[p_attempt], p_entries_max
    );
  END IF;
  UPDATE mayfly.sessions
  SET seq = seq + 1, version = version + 1, message_count = message_count - 1,
    message_bytes = message_bytes - gone.size_bytes
  WHERE key = p_key;
  INSERT INTO mayfly.events (bucket, session_key, seq, kind, at, message_seq)
  VALUES (live.bucket, p_key, live.seq + 1, 'message.deleted', v_now, p_seq);
  PERFORM mayfly.queue_events(
    'message.deleted', ARRAY[p_key], ARRAY[live.seq + 1], ARRAY[p_seq], ARRAY[v_now], p_outbox
  );
  RETURN true;
END $$;

-- Replaces the stored value, without a change of the list.
CREATE FUNCTION mayfly.keep_note(p_bucket integer, p_key bytea, p_seq integer, p_glance bytea, p_authentication bytea)
RETURNS void LANGUAGE sql SET lock_timeout = '5s' AS $$
  INSERT INTO mayfly.notes (bucket, session_key, seq, glance, authentication)
  SELECT bucket, session_key, seq, p_glance, p_authentication FROM mayfly.messages
  WHERE bucket = p_bucket AND session_key = p_key AND seq = p_seq FOR KEY SHARE
  ON CONFLICT (bucket, session_key, seq) DO UPDATE SET
    glance = coalesce(excluded.glance, notes.glance),
    authentication = coalesce(excluded.authentication, notes.authentication)
$$;
