-- Removing destroyed data keys from the disk of a single server (erasing/key-scrubber.ts).

-- Moves the keys of at most the given number of live sessions after `p_after` out of a generation. Returns where to
-- continue, null at its end. Locks a session's row so that it does not end meanwhile, without blocking deliveries; one
-- that is just ending is left for the next time. A key without a live session was left by mistake, and is destroyed.
CREATE OR REPLACE FUNCTION mayfly.move_keys(p_from smallint, p_after bytea, p_limit integer)
RETURNS bytea LANGUAGE plpgsql
SET lock_timeout = '5s' SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
  v_keys bytea[];
  v_live bytea[];
BEGIN
  v_keys := ARRAY(
    SELECT session_key FROM mayfly.data_keys WHERE generation = p_from AND session_key > p_after
    ORDER BY session_key LIMIT p_limit
  );
  IF cardinality(v_keys) = 0 THEN
    RETURN NULL;
  END IF;
  v_live := ARRAY(
    SELECT key FROM mayfly.sessions WHERE key = ANY (v_keys) AND num_nulls(ended_at) = 1
    ORDER BY key FOR KEY SHARE SKIP LOCKED
  );
  WITH taken AS (
    DELETE FROM mayfly.data_keys WHERE generation = p_from AND session_key = ANY (v_live)
    RETURNING session_key, data_key
  )
  INSERT INTO mayfly.data_keys (generation, session_key, data_key)
  SELECT 1 - p_from, session_key, data_key FROM taken;
  WITH destroyed AS (
    DELETE FROM mayfly.data_keys k
    WHERE k.generation = p_from AND k.session_key = ANY (v_keys)
      AND NOT EXISTS (SELECT 1 FROM mayfly.sessions s WHERE s.key = k.session_key AND num_nulls(s.ended_at) = 1)
    RETURNING k.generation, k.session_key
  )
  INSERT INTO mayfly.destroyed_keys (generation, session_key) SELECT generation, session_key FROM destroyed;
  RETURN v_keys[cardinality(v_keys)];
END $$;

-- Replaces the file of the generation being emptied; false if it still contains a key. Look-ups wait while this waits
-- for its lock, so it gives up soon (55P03).
CREATE OR REPLACE FUNCTION mayfly.replace_key_file() RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '100ms' SET jit = off AS $$
DECLARE
  v_emptying smallint := (SELECT emptying FROM mayfly.key_scrubbing);
  v_has_keys boolean;
BEGIN
  EXECUTE format('LOCK TABLE mayfly.%I IN ACCESS EXCLUSIVE MODE', 'data_keys_' || v_emptying);
  -- Checked only under the lock: until then a new session's key could arrive here.
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM mayfly.%I)', 'data_keys_' || v_emptying) INTO v_has_keys;
  IF v_has_keys THEN
    RETURN false;
  END IF;
  EXECUTE format('TRUNCATE mayfly.%I, mayfly.%I', 'data_keys_' || v_emptying, 'destroyed_keys_' || v_emptying);
  UPDATE mayfly.key_scrubbing SET emptying = NULL, log_until = pg_current_wal_insert_lsn();
  RETURN true;
END $$;
