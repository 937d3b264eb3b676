-- A free address is remembered as long as its session: mail for it still concerns its last holder.

-- As in 0004-housekeeping.sql, apart from the last statement.
CREATE OR REPLACE FUNCTION mayfly.reclaim_step(p_now bigint, p_ended_known_ms bigint)
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
    SELECT address_key FROM mayfly.addresses WHERE free_at <= v_now - p_ended_known_ms LIMIT 64 FOR UPDATE SKIP LOCKED
  );
  GET DIAGNOSTICS v_some = ROW_COUNT;
  RETURN v_rows + v_some > 0;
END $$;
