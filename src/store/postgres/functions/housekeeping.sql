-- Partitions, and freeing space, by the rules of sessions.sql.

-- All look-ups here go by key, so a rough idea of a partition is enough. By default PostgreSQL would read and copy 30,000
-- whole rows of it, 4 KB each, again and again: a fifth of what taking in mail cost. Of bytes there are none
-- (migrations/0100-initial.sql).
CREATE OR REPLACE FUNCTION mayfly.set_statistics(p_table regclass) RETURNS void LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_column record;
BEGIN
  FOR v_column IN
    SELECT attname, attname = 'bucket' OR atttypid = 'bytea'::regtype AS is_idle
    FROM pg_attribute WHERE attrelid = p_table AND attnum > 0 AND NOT attisdropped
  LOOP
    EXECUTE format(
      'ALTER TABLE %s ALTER COLUMN %I SET STATISTICS %s', p_table, v_column.attname,
      CASE WHEN v_column.is_idle THEN 0 ELSE 10 END
    );
  END LOOP;
END $$;

-- Creates the partitions of a bucket if needed. Unlike CREATE ... PARTITION OF, attaching takes no lock that stops
-- deliveries; every statement on the table waits behind the one it does take, which is given up before those statements
-- are. A chunk of an ordinary message stays in its own row (toast_tuple_target).
CREATE OR REPLACE FUNCTION mayfly.make_bucket(p_bucket integer) RETURNS void LANGUAGE plpgsql
SET lock_timeout = '1500ms' SET jit = off AS $$
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

-- Frees some space of ended sessions and deleted messages; false if there was nothing to do. Candidates are looked for on
-- all shards, and each is handled on its own. An address is remembered after it is free for as long as its session: mail
-- for it still concerns its last holder.
CREATE OR REPLACE FUNCTION mayfly.reclaim_step(p_now bigint, p_ended_known_ms bigint)
RETURNS boolean LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  v_session mayfly.sessions;
  v_garbage mayfly.garbage;
  v_chunks_left integer := 16; -- of 256 KB at most
  v_rows integer;
  v_keys bytea[];
  v_key bytea;
  v_did boolean := false;
BEGIN
  SELECT * INTO v_garbage FROM mayfly.garbage LIMIT 1;
  IF v_garbage.session_key IS NOT NULL THEN
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
  v_keys := ARRAY(SELECT key FROM mayfly.sessions WHERE ended_at IS NOT NULL AND NOT is_reclaimed LIMIT 8);
  FOREACH v_key IN ARRAY v_keys LOOP
    SELECT * INTO v_session FROM mayfly.sessions WHERE key = v_key AND NOT is_reclaimed FOR UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    v_did := true;
    DELETE FROM mayfly.chunks c
    WHERE c.bucket = v_session.bucket AND c.session_key = v_key AND (c.ingest_id, c.number) IN (
      SELECT ingest_id, number FROM mayfly.chunks
      WHERE bucket = v_session.bucket AND session_key = v_key LIMIT v_chunks_left
    );
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    v_chunks_left := v_chunks_left - v_rows;
    IF v_chunks_left <= 0 THEN
      RETURN true;
    END IF;
    DELETE FROM mayfly.messages WHERE bucket = v_session.bucket AND session_key = v_key;
    DELETE FROM mayfly.notes WHERE bucket = v_session.bucket AND session_key = v_key;
    DELETE FROM mayfly.events WHERE bucket = v_session.bucket AND session_key = v_key;
    DELETE FROM mayfly.attempts WHERE bucket = v_session.bucket AND session_key = v_key;
    DELETE FROM mayfly.origins WHERE bucket = v_session.bucket AND session_key = v_key;
    DELETE FROM mayfly.webhook_sessions WHERE session_key = v_key;
    UPDATE mayfly.sessions SET is_reclaimed = true WHERE key = v_key;
  END LOOP;
  IF v_did THEN
    RETURN true;
  END IF;
  v_keys := ARRAY(
    SELECT key FROM mayfly.sessions WHERE is_reclaimed AND ended_at <= v_now - p_ended_known_ms LIMIT 64
  );
  DELETE FROM mayfly.sessions WHERE key = ANY (v_keys);
  v_rows := cardinality(v_keys);
  v_keys := ARRAY(SELECT address_key FROM mayfly.addresses WHERE free_at <= v_now - p_ended_known_ms LIMIT 64);
  DELETE FROM mayfly.addresses WHERE address_key = ANY (v_keys) AND free_at <= v_now - p_ended_known_ms;
  RETURN v_rows + cardinality(v_keys) > 0;
END $$;

-- Returns buckets whose day has passed and whose sessions have all ended, and closes them to writes.
CREATE OR REPLACE FUNCTION mayfly.pass_buckets(p_now bigint, p_grace_ms bigint)
RETURNS SETOF integer LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  v_bucket integer;
BEGIN
  FOR v_bucket IN
    SELECT bucket FROM mayfly.buckets WHERE passed_at IS NULL AND bucket::bigint * 86400000 + p_grace_ms <= v_now
  LOOP
    PERFORM 1 FROM mayfly.sessions WHERE bucket = v_bucket AND ended_at IS NULL LIMIT 1;
    IF NOT FOUND THEN
      UPDATE mayfly.buckets SET passed_at = v_now WHERE bucket = v_bucket;
    END IF;
  END LOOP;
  RETURN QUERY SELECT bucket FROM mayfly.buckets WHERE passed_at IS NOT NULL ORDER BY bucket;
END $$;
