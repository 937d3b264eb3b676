-- Removes destroyed data keys from the disk without making anything wait. Keys are stored in two generations, a file
-- each. One takes new keys; to remove the keys destroyed in it, the other takes over, the live ones are moved there a
-- few at a time, and the file is replaced by an empty one, which takes a lock for a moment. The progress is in the
-- database, so that any node can continue (key-scrubber.ts). Older programs call the functions, whose signatures stay.
-- needs: 8

ALTER TABLE mayfly.data_keys RENAME TO data_keys_before;
ALTER INDEX mayfly.data_keys_pkey RENAME TO data_keys_before_pkey;

CREATE TABLE mayfly.data_keys (
  generation smallint NOT NULL DEFAULT 0,
  session_key bytea NOT NULL,
  data_key bytea NOT NULL CHECK (octet_length(data_key) = 32), -- AES-256
  PRIMARY KEY (session_key, generation)
) PARTITION BY LIST (generation);
CREATE TABLE mayfly.data_keys_0 PARTITION OF mayfly.data_keys FOR VALUES IN (0);
CREATE TABLE mayfly.data_keys_1 PARTITION OF mayfly.data_keys FOR VALUES IN (1);
-- Statistics would keep copies of values.
ALTER TABLE mayfly.data_keys ALTER COLUMN data_key SET STATISTICS 0, ALTER COLUMN data_key SET STORAGE PLAIN;

-- A row for each destroyed key that the file of its generation may still contain, written in the transaction that
-- destroyed it.
CREATE TABLE mayfly.destroyed_keys (
  generation smallint NOT NULL,
  session_key bytea NOT NULL
) PARTITION BY LIST (generation);
CREATE TABLE mayfly.destroyed_keys_0 PARTITION OF mayfly.destroyed_keys FOR VALUES IN (0);
CREATE TABLE mayfly.destroyed_keys_1 PARTITION OF mayfly.destroyed_keys FOR VALUES IN (1);

CREATE TABLE mayfly.key_scrubbing (
  id boolean PRIMARY KEY DEFAULT true CHECK (id), -- one row
  generation smallint NOT NULL DEFAULT 0, -- takes new keys
  emptying smallint, -- the generation that is being emptied
  is_moving boolean NOT NULL DEFAULT false, -- keys are being moved from it into the other
  is_torn boolean NOT NULL DEFAULT false, -- a move was broken off and may have left copies that no row tells of
  log_until pg_lsn -- up to where the log may hold destroyed keys
);
INSERT INTO mayfly.key_scrubbing DEFAULT VALUES;

INSERT INTO mayfly.data_keys (session_key, data_key) SELECT session_key, data_key FROM mayfly.data_keys_before;
DROP TABLE mayfly.data_keys_before;
-- The log may contain keys destroyed before this migration.
UPDATE mayfly.key_scrubbing SET log_until = pg_current_wal_insert_lsn();

-- Ends live sessions whose rows the caller has locked: quarantines their addresses and destroys their keys.
CREATE OR REPLACE FUNCTION mayfly.end_sessions(p_keys bytea[], p_at bigint, p_outbox integer)
RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF cardinality(p_keys) = 0 THEN
    RETURN;
  END IF;
  UPDATE mayfly.sessions SET ended_at = least(p_at, expires_at), seq = seq + 1, version = version + 1
  WHERE key = ANY (p_keys);
  WITH destroyed AS (
    DELETE FROM mayfly.data_keys WHERE session_key = ANY (p_keys) RETURNING generation, session_key
  )
  INSERT INTO mayfly.destroyed_keys (generation, session_key) SELECT generation, session_key FROM destroyed;
  UPDATE mayfly.addresses a SET free_at = s.ended_at + s.quarantine_ms
  FROM mayfly.sessions s
  WHERE s.key = ANY (p_keys) AND a.address_key = s.address_key AND a.session_key = s.key;
  INSERT INTO mayfly.events (bucket, session_key, seq, kind, at)
  SELECT bucket, key, seq, 'session.expired', ended_at FROM mayfly.sessions WHERE key = ANY (p_keys);
  IF p_outbox > 0 THEN
    PERFORM mayfly.queue_events(
      'session.expired', array_agg(key), array_agg(seq), array_agg(NULL::integer), array_agg(ended_at), p_outbox
    ) FROM mayfly.sessions WHERE key = ANY (p_keys);
  END IF;
END $$;

-- Returns `created` with the time, `taken`, or `no bucket` if its partitions must be created first.
CREATE OR REPLACE FUNCTION mayfly.create_session(
  p_now bigint, p_key bytea, p_token_hash bytea, p_address bytea, p_address_key bytea, p_data_key bytea,
  p_lifetime_ms bigint, p_total_ms bigint, p_quarantine_ms bigint, p_account_id integer, p_outbox integer,
  OUT o_outcome text, OUT o_at bigint, OUT o_bucket integer
) LANGUAGE plpgsql SET lock_timeout = '5s' AS $$
DECLARE
  holder mayfly.addresses;
  holding mayfly.sessions;
  v_dots_of integer;
BEGIN
  o_at := mayfly.now_ms(p_now);
  o_bucket := mayfly.bucket_of(o_at + p_total_ms);
  -- Not locked: only past buckets are dropped, and this one is in the future.
  PERFORM 1 FROM mayfly.buckets WHERE bucket = o_bucket AND passed_at IS NULL;
  IF NOT FOUND THEN
    o_outcome := 'no bucket';
    RETURN;
  END IF;
  SELECT * INTO holder FROM mayfly.addresses WHERE address_key = p_address_key;
  IF holder.session_key = p_key THEN
    -- A retry after the first answer was lost.
    SELECT created_at INTO o_at FROM mayfly.sessions WHERE key = p_key;
    o_outcome := 'created';
    RETURN;
  END IF;
  IF holder.session_key IS NOT NULL AND holder.free_at IS NULL THEN
    holding := mayfly.take_live(holder.session_key, o_at, p_outbox);
    IF holding.key IS NOT NULL THEN
      o_outcome := 'taken';
      RETURN;
    END IF;
  END IF;
  -- A spelling with a plus tag is not one of the few dot variants.
  IF p_account_id IS NOT NULL AND position('+'::bytea IN p_address_key) = 0 THEN
    SELECT mailbox_id INTO v_dots_of FROM mayfly.gmail_accounts WHERE id = p_account_id;
  END IF;
  INSERT INTO mayfly.addresses (address_key, session_key, dots_of) VALUES (p_address_key, p_key, v_dots_of)
  ON CONFLICT (address_key) DO UPDATE
    SET session_key = excluded.session_key, free_at = NULL, dots_of = excluded.dots_of
    WHERE addresses.free_at <= o_at;
  IF NOT FOUND THEN
    o_outcome := 'taken';
    RETURN;
  END IF;
  INSERT INTO mayfly.sessions (
    key, token_hash, address, address_key, created_at, expires_at, latest_end_at, quarantine_ms, bucket, account_id
  ) VALUES (
    p_key, p_token_hash, p_address, p_address_key, o_at, o_at + p_lifetime_ms, o_at + p_total_ms, p_quarantine_ms,
    o_bucket, p_account_id
  );
  INSERT INTO mayfly.data_keys (generation, session_key, data_key)
  VALUES ((SELECT generation FROM mayfly.key_scrubbing), p_key, p_data_key);
  o_outcome := 'created';
END $$;

-- Moves the keys of at most the given number of live sessions after `p_after` out of a generation. Returns where to
-- continue, null at its end. Locks a session's row so that it does not end meanwhile, without blocking deliveries; one
-- that is just ending is left for the next time. A key without a live session was left by mistake, and is destroyed.
CREATE FUNCTION mayfly.move_keys(p_from smallint, p_after bytea, p_limit integer)
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
CREATE FUNCTION mayfly.replace_key_file() RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '100ms' AS $$
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
