-- Partitions, and freeing space, by the rules of 0002-sessions.sql.

-- Creates the partitions of a bucket if needed. Unlike CREATE ... PARTITION OF, attaching takes no lock that stops
-- deliveries. A chunk of an ordinary message stays in its own row (toast_tuple_target).
CREATE FUNCTION mayfly.make_bucket(p_bucket integer) RETURNS void LANGUAGE plpgsql SET lock_timeout = '5s' AS $$
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
    EXECUTE format('ALTER TABLE mayfly.%I ATTACH PARTITION mayfly.%I FOR VALUES IN (%s)', v_parent, v_name, p_bucket);
  END LOOP;
  INSERT INTO mayfly.buckets (bucket) VALUES (p_bucket);
END $$;

-- Frees some space of ended sessions and deleted messages; false if there was nothing to do.
CREATE FUNCTION mayfly.reclaim_step(p_now bigint, p_ended_known_ms bigint)
RETURNS boolean LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  v_session mayfly.sessions;
  v_garbage mayfly.garbage;
  v_chunks_left integer := 16; -- of 256 KB at most
  v_rows integer;
  v_some integer;
  v_did boolean := false;
BEGIN
  SELECT * INTO v_garbage FROM mayfly.garbage LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF FOUND THEN
    DELETE FROM mayfly.chunks c
    WHERE c.bucket = v_garbage.bucket AND c.session_key = v_garbage.session_key AND c.ingest_id = v_garbage.ingest_id
      AND c.number IN (
        SELECT number FROM mayfly.chunks
        WHERE bucket = v_garbage.bucket AND session_key = v_garbage.session_key AND ingest_id = v_garbage.ingest_id
        LIMIT v_chunks_left
      );
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    IF v_rows < v_chunks_left THEN
      DELETE FROM mayfly.garbage
      WHERE session_key = v_garbage.session_key AND bucket = v_garbage.bucket AND ingest_id = v_garbage.ingest_id;
    END IF;
    RETURN true;
  END IF;
  FOR v_session IN
    SELECT * FROM mayfly.sessions WHERE ended_at IS NOT NULL AND NOT is_reclaimed LIMIT 8 FOR UPDATE SKIP LOCKED
  LOOP
    v_did := true;
    DELETE FROM mayfly.chunks c
    WHERE c.bucket = v_session.bucket AND c.session_key = v_session.key AND (c.ingest_id, c.number) IN (
      SELECT ingest_id, number FROM mayfly.chunks
      WHERE bucket = v_session.bucket AND session_key = v_session.key LIMIT v_chunks_left
    );
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    v_chunks_left := v_chunks_left - v_rows;
    IF v_chunks_left <= 0 THEN
      RETURN true;
    END IF;
    DELETE FROM mayfly.messages WHERE bucket = v_session.bucket AND session_key = v_session.key;
    DELETE FROM mayfly.notes WHERE bucket = v_session.bucket AND session_key = v_session.key;
    DELETE FROM mayfly.events WHERE bucket = v_session.bucket AND session_key = v_session.key;
    DELETE FROM mayfly.attempts WHERE bucket = v_session.bucket AND session_key = v_session.key;
    DELETE FROM mayfly.origins WHERE bucket = v_session.bucket AND session_key = v_session.key;
    UPDATE mayfly.sessions SET is_reclaimed = true WHERE key = v_session.key;
  END LOOP;
  IF v_did THEN
    RETURN true;
  END IF;
  DELETE FROM mayfly.sessions WHERE key IN (
    SELECT key FROM mayfly.sessions WHERE is_reclaimed AND ended_at <= v_now - p_ended_known_ms
    LIMIT 64 FOR UPDATE SKIP LOCKED
  );
  GET DIAGNOSTICS v_rows = ROW_COUNT;
  DELETE FROM mayfly.addresses WHERE address_key IN (
    SELECT address_key FROM mayfly.addresses WHERE free_at <= v_now LIMIT 64 FOR UPDATE SKIP LOCKED
  );
  GET DIAGNOSTICS v_some = ROW_COUNT;
  RETURN v_rows + v_some > 0;
END $$;

-- Returns buckets whose day has passed and whose sessions have all ended, and closes them to writes.
CREATE FUNCTION mayfly.pass_buckets(p_now bigint, p_grace_ms bigint)
RETURNS SETOF integer LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
BEGIN
  UPDATE mayfly.buckets b SET passed_at = v_now
  WHERE b.passed_at IS NULL AND b.bucket::bigint * 86400000 + p_grace_ms <= v_now
    AND NOT EXISTS (SELECT 1 FROM mayfly.sessions s WHERE s.bucket = b.bucket AND s.ended_at IS NULL);
  RETURN QUERY SELECT bucket FROM mayfly.buckets WHERE passed_at IS NOT NULL ORDER BY bucket;
END $$;
