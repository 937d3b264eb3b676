-- The operations on messages, in one round trip each, by the rules of sessions.sql.

-- Delivers a group in one commit. Returns for each row, in order: `stored` with its seq and time, `ended`, `full`, or
-- `duplicate` (its origin is in the session already). One UPDATE checks liveness and quota and takes the number: a session
-- below its quota takes one more message of any size. Chunks belong to the row with their ordinal; there are none if the
-- caller has written them. `p_is_retry`: an earlier commit of the same rows may have succeeded without its answer
-- arriving. Where a session drops its oldest messages, a message of the same call that already has its number is written
-- first, so that it can be the oldest.
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
  v_room bigint; -- wanted by a session that drops its oldest messages
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
    v_room := CASE WHEN p_sizes[i] BETWEEN 1 AND p_bytes_max THEN p_sizes[i] ELSE 1 END;
    FOR attempt IN 1..2 LOOP
      UPDATE mayfly.sessions s
      SET seq = s.seq + 1, version = s.version + 1, message_count = s.message_count + 1,
        message_bytes = s.message_bytes + p_sizes[i]
      WHERE s.key = v_key AND s.ended_at IS NULL AND s.expires_at > v_now AND s.message_count < p_messages_max
        AND s.message_bytes + CASE WHEN s.drops_oldest AND attempt = 1 THEN v_room ELSE 1 END <= p_bytes_max
        AND s.seq < 2000000000
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
      EXIT WHEN v_session.key IS NULL OR NOT v_session.drops_oldest OR v_session.seq > 2000000000 - 2000;
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
      EXIT WHEN NOT mayfly.drop_oldest(v_key, v_room, p_messages_max, p_bytes_max, v_now, p_outbox);
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

-- `deliver` for several calls, by their numbers in p_calls. A message with several recipients is stored for all that are
-- live or, if one is full, for none: then nothing of any call is stored, and the error tells the outcomes, which are final
-- for a single call.
CREATE OR REPLACE FUNCTION mayfly.deliver_calls(
  p_now bigint, p_keys bytea[], p_sizes bigint[], p_metas bytea[], p_ingests bigint[], p_origins bytea[],
  p_chunk_rows integer[], p_chunk_numbers integer[], p_chunks bytea[],
  p_messages_max bigint, p_bytes_max bigint, p_outbox integer, p_is_retry boolean, p_calls integer[]
) RETURNS TABLE (o_outcome text, o_seq integer, o_at bigint)
LANGUAGE plpgsql SET lock_timeout = '5s' SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_outcomes text[];
  v_seqs integer[];
  v_ats bigint[];
BEGIN
  SELECT array_agg(d.o_outcome), array_agg(d.o_seq), array_agg(d.o_at) INTO v_outcomes, v_seqs, v_ats
  FROM mayfly.deliver(
    p_now, p_keys, p_sizes, p_metas, p_ingests, p_origins, p_chunk_rows, p_chunk_numbers, p_chunks, p_messages_max,
    p_bytes_max, p_outbox, p_is_retry
  ) AS d;
  PERFORM 1 FROM unnest(p_calls, v_outcomes) AS t (call, outcome)
  GROUP BY t.call HAVING count(*) > 1 AND bool_or(t.outcome = 'full');
  IF FOUND THEN
    RAISE EXCEPTION 'A recipient is full.' USING ERRCODE = 'MF001', DETAIL = array_to_string(v_outcomes, ' ');
  END IF;
  RETURN QUERY SELECT * FROM unnest(v_outcomes, v_seqs, v_ats);
END $$;

-- Deletes the oldest messages of a live session, whose row the caller has locked, until one of the given size fits or
-- a thousand are gone. If the session would still be full, deletes none and returns false.
CREATE OR REPLACE FUNCTION mayfly.drop_oldest(
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
  IF v_count >= p_messages_max OR v_bytes >= p_bytes_max THEN
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

CREATE OR REPLACE FUNCTION mayfly.drop_chunks(p_bucket integer, p_key bytea, p_ingest bigint)
RETURNS void LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
BEGIN
  DELETE FROM mayfly.chunks WHERE bucket = p_bucket AND session_key = p_key AND ingest_id = p_ingest;
END $$;

-- Keeps at most the given number of attempts of each session, the newest ones; nothing for a session that is not live.
CREATE OR REPLACE FUNCTION mayfly.add_attempts(
  p_now bigint, p_keys bytea[], p_ages_ms bigint[], p_sealed bytea[], p_entries_max integer
) RETURNS void LANGUAGE plpgsql SET lock_timeout = '5s' SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  v_key bytea;
  v_places integer[];
  v_bucket integer;
  v_number bigint;
  v_old record;
  i integer;
BEGIN
  FOR v_key, v_places IN
    SELECT key, array_agg(place ORDER BY place) FROM unnest(p_keys) WITH ORDINALITY AS t (key, place)
    GROUP BY key ORDER BY key
  LOOP
    SELECT bucket INTO v_bucket FROM mayfly.sessions
    WHERE key = v_key AND ended_at IS NULL AND expires_at > v_now FOR UPDATE;
    CONTINUE WHEN NOT FOUND;
    FOREACH i IN ARRAY v_places LOOP
      v_number := nextval('mayfly.attempt_numbers');
      INSERT INTO mayfly.attempts (bucket, session_key, at, number, sealed)
      VALUES (v_bucket, v_key, v_now - p_ages_ms[i], v_number, p_sealed[i]);
    END LOOP;
    FOR v_old IN
      SELECT at, number FROM mayfly.attempts WHERE bucket = v_bucket AND session_key = v_key
      ORDER BY at DESC, number DESC OFFSET p_entries_max
    LOOP
      DELETE FROM mayfly.attempts
      WHERE bucket = v_bucket AND session_key = v_key AND at = v_old.at AND number = v_old.number;
    END LOOP;
  END LOOP;
END $$;

-- Deletes a message and keeps `p_attempt` in its place. Returns false if there is no such message, or its session is
-- not live.
CREATE OR REPLACE FUNCTION mayfly.delete_message(
  p_now bigint, p_key bytea, p_seq integer, p_attempt bytea, p_entries_max integer, p_outbox integer
) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '5s' SET enable_seqscan = off SET jit = off AS $$
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

-- Marks a message read or unread, with an event in the log (mail-store.ts, setRead). Returns false if the session is
-- not live or has no such message.
CREATE OR REPLACE FUNCTION mayfly.set_read(p_now bigint, p_key bytea, p_seq integer, p_is_read boolean, p_outbox integer)
RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '5s' SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  live mayfly.sessions := mayfly.take_live(p_key, v_now, p_outbox);
  v_kind text := CASE WHEN p_is_read THEN 'message.read' ELSE 'message.unread' END;
BEGIN
  IF live.key IS NULL THEN
    RETURN false;
  END IF;
  PERFORM 1 FROM mayfly.messages WHERE bucket = live.bucket AND session_key = p_key AND seq = p_seq;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF p_is_read THEN
    INSERT INTO mayfly.notes (bucket, session_key, seq, is_read) VALUES (live.bucket, p_key, p_seq, true)
    ON CONFLICT (bucket, session_key, seq) DO UPDATE SET is_read = true WHERE NOT notes.is_read;
  ELSE
    UPDATE mayfly.notes SET is_read = false
    WHERE bucket = live.bucket AND session_key = p_key AND seq = p_seq AND is_read;
  END IF;
  IF FOUND THEN
    UPDATE mayfly.sessions SET seq = seq + 1, version = version + 1 WHERE key = p_key;
    INSERT INTO mayfly.events (bucket, session_key, seq, kind, at, message_seq)
    VALUES (live.bucket, p_key, live.seq + 1, v_kind, v_now, p_seq);
    PERFORM mayfly.queue_events(v_kind, ARRAY[p_key], ARRAY[live.seq + 1], ARRAY[p_seq], ARRAY[v_now], p_outbox);
  END IF;
  RETURN true;
END $$;

-- Replaces the stored value, without a change of the list.
CREATE OR REPLACE FUNCTION mayfly.keep_note(
  p_bucket integer, p_key bytea, p_seq integer, p_glance bytea, p_authentication bytea
) RETURNS void LANGUAGE plpgsql SET lock_timeout = '5s' SET enable_seqscan = off SET jit = off AS $$
BEGIN
  PERFORM 1 FROM mayfly.messages WHERE bucket = p_bucket AND session_key = p_key AND seq = p_seq FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO mayfly.notes (bucket, session_key, seq, glance, authentication)
  VALUES (p_bucket, p_key, p_seq, p_glance, p_authentication)
  ON CONFLICT (bucket, session_key, seq) DO UPDATE SET
    glance = coalesce(excluded.glance, notes.glance),
    authentication = coalesce(excluded.authentication, notes.authentication);
END $$;
