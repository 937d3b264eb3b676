-- The operations on sessions, in one round trip each. `p_now` is always the current time, null for the server's clock;
-- tests use their own. `p_outbox` is the largest number of rows queued for an endpoint, 0 where webhooks are off, plus
-- 2^30 if the operator's URL is not set, which leaves out the operator's endpoint. A session's row is locked before its
-- address's, and several sessions in the order of their keys, to prevent deadlocks.
--
-- All functions here serve a single server and a schema distributed by Citus: wherever it can, a statement names the key
-- of one session, so that it goes to one shard, and what a statement did is read from its RETURNING. Plans must not depend
-- on when the tables were last analysed: by index or not at all. Where seqscan is off, whatever has no index, such as an
-- empty list of garbage, looks so expensive to the planner that it compiles the statement first, 60 to 75 ms of processor
-- each time; nothing here runs long enough to be worth that.

-- Stable, so that a statement of which it is a condition gets one instant on all machines. In PL/pgSQL, so that it is not
-- expanded.
CREATE OR REPLACE FUNCTION mayfly.now_ms(given bigint) RETURNS bigint LANGUAGE plpgsql STABLE SET jit = off AS $$
BEGIN
  RETURN coalesce(given, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint);
END $$;

-- Returns the day by which a session that begins now has ended.
CREATE OR REPLACE FUNCTION mayfly.bucket_of(latest_end_at bigint) RETURNS integer LANGUAGE sql IMMUTABLE AS
$$ SELECT (latest_end_at / 86400000 + 1)::integer $$;

-- Ends live sessions whose rows the caller has locked: quarantines their addresses and deletes what opened their mail.
-- One is ended by statements that go to its shard and its address's, many by statements that go to all shards at once.
CREATE OR REPLACE FUNCTION mayfly.end_sessions(p_keys bytea[], p_at bigint, p_outbox integer)
RETURNS void LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_key bytea := p_keys[1];
  v_session mayfly.sessions;
BEGIN
  IF cardinality(p_keys) = 0 THEN
    RETURN;
  END IF;
  IF cardinality(p_keys) = 1 THEN
    UPDATE mayfly.sessions SET ended_at = least(p_at, expires_at), seq = seq + 1, version = version + 1,
      salt = NULL, password = NULL, shares = NULL, pushes = NULL,
      sent_keys = NULL
    WHERE key = v_key RETURNING * INTO v_session;
    INSERT INTO mayfly.events (bucket, session_key, seq, kind, at)
    VALUES (v_session.bucket, v_key, v_session.seq, 'session.expired', v_session.ended_at);
    PERFORM mayfly.queue_events(
      'session.expired', ARRAY[v_key], ARRAY[v_session.seq], ARRAY[NULL::integer], ARRAY[v_session.ended_at], p_outbox
    );
    UPDATE mayfly.addresses SET free_at = v_session.ended_at + v_session.quarantine_ms
    WHERE address_key = v_session.address_key AND session_key = v_key;
    RETURN;
  END IF;
  UPDATE mayfly.sessions SET ended_at = least(p_at, expires_at), seq = seq + 1, version = version + 1,
    salt = NULL, password = NULL, shares = NULL, pushes = NULL,
    sent_keys = NULL
  WHERE key = ANY (p_keys);
  INSERT INTO mayfly.events (bucket, session_key, seq, kind, at)
  SELECT bucket, key, seq, 'session.expired', ended_at FROM mayfly.sessions WHERE key = ANY (p_keys);
  IF p_outbox > 0 THEN
    PERFORM mayfly.queue_events(
      'session.expired', array_agg(key), array_agg(seq), array_agg(NULL::integer), array_agg(ended_at), p_outbox
    ) FROM (SELECT key, seq, ended_at FROM mayfly.sessions WHERE key = ANY (p_keys) ORDER BY key) AS s;
  END IF;
  -- Addresses are on other shards than their sessions.
  WITH gone AS MATERIALIZED (
    SELECT address_key, key, ended_at + quarantine_ms AS free_at FROM mayfly.sessions WHERE key = ANY (p_keys)
    OFFSET 0
  )
  UPDATE mayfly.addresses a SET free_at = gone.free_at FROM gone
  WHERE a.address_key = gone.address_key AND a.session_key = gone.key;
END $$;

-- Locks and returns the row of a live session; null if it is not live. One that is due ends here, so that a clock set
-- back cannot revive it after a caller has seen it ended.
CREATE OR REPLACE FUNCTION mayfly.take_live(p_key bytea, p_at bigint, p_outbox integer)
RETURNS mayfly.sessions LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  found_row mayfly.sessions;
BEGIN
  SELECT * INTO found_row FROM mayfly.sessions WHERE key = p_key FOR UPDATE;
  IF found_row.key IS NULL OR found_row.ended_at IS NOT NULL THEN
    RETURN NULL;
  END IF;
  IF found_row.expires_at <= p_at THEN
    PERFORM mayfly.end_sessions(ARRAY[p_key], p_at, p_outbox);
    RETURN NULL;
  END IF;
  RETURN found_row;
END $$;

-- Returns `created` with the time, `taken`, or `no bucket` if its partitions must be created first.
CREATE OR REPLACE FUNCTION mayfly.create_session(
  p_now bigint, p_key bytea, p_token_hash bytea, p_address bytea, p_address_key bytea, p_public_key bytea,
  p_salt bytea, p_lifetime_ms bigint, p_total_ms bigint, p_quarantine_ms bigint, p_account_id integer, p_drops_oldest boolean,
  p_outbox integer, OUT o_outcome text, OUT o_at bigint, OUT o_bucket integer
) LANGUAGE plpgsql SET lock_timeout = '5s' SET jit = off AS $$
DECLARE
  holder mayfly.addresses;
  holding mayfly.sessions;
  v_dots_of integer;
  v_is_taken boolean;
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
    WHERE addresses.free_at <= o_at
  RETURNING false INTO v_is_taken;
  IF v_is_taken IS NULL THEN
    o_outcome := 'taken';
    RETURN;
  END IF;
  INSERT INTO mayfly.sessions (
    key, token_hash, public_key, salt, address, address_key, created_at, expires_at, latest_end_at, quarantine_ms, bucket,
    account_id, drops_oldest
  ) VALUES (
    p_key, p_token_hash, p_public_key, p_salt, p_address, p_address_key, o_at, o_at + p_lifetime_ms, o_at + p_total_ms, p_quarantine_ms,
    o_bucket, p_account_id, p_drops_oldest
  );
  o_outcome := 'created';
END $$;

-- Ends the session if it is due.
CREATE OR REPLACE FUNCTION mayfly.end_if_due(p_now bigint, p_key bytea, p_outbox integer)
RETURNS void LANGUAGE plpgsql SET lock_timeout = '5s' SET jit = off AS $$
BEGIN
  PERFORM mayfly.take_live(p_key, mayfly.now_ms(p_now), p_outbox);
END $$;

-- Returns false if it is not live.
CREATE OR REPLACE FUNCTION mayfly.end_session(p_now bigint, p_key bytea, p_outbox integer)
RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '5s' SET jit = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  live mayfly.sessions := mayfly.take_live(p_key, v_now, p_outbox);
BEGIN
  IF live.key IS NULL THEN
    RETURN false;
  END IF;
  PERFORM mayfly.end_sessions(ARRAY[p_key], v_now, p_outbox);
  RETURN true;
END $$;

-- Extends the session, but never shortens it. Returns whether it is live.
CREATE OR REPLACE FUNCTION mayfly.extend_session(p_now bigint, p_key bytea, p_lifetime_ms bigint, p_outbox integer)
RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '5s' SET jit = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  live mayfly.sessions := mayfly.take_live(p_key, v_now, p_outbox);
  v_end bigint;
BEGIN
  IF live.key IS NULL THEN
    RETURN false;
  END IF;
  v_end := greatest(live.expires_at, least(v_now + p_lifetime_ms, live.latest_end_at));
  IF v_end > live.expires_at THEN
    UPDATE mayfly.sessions SET expires_at = v_end, seq = seq + 1, version = version + 1 WHERE key = p_key;
    INSERT INTO mayfly.events (bucket, session_key, seq, kind, at)
    VALUES (live.bucket, p_key, live.seq + 1, 'session.extended', v_now);
    PERFORM mayfly.queue_events(
      'session.extended', ARRAY[p_key], ARRAY[live.seq + 1], ARRAY[NULL::integer], ARRAY[v_now], p_outbox
    );
  END IF;
  RETURN true;
END $$;

-- Gives a live session another address: `renamed`, `taken`, `alias` or `ended`. A retry after a lost answer changes
-- nothing. The old address is quarantined for at least a minute, whatever its setting: other nodes cache its holder
-- for less than that, and the next holder must not lose mail to the last one.
CREATE OR REPLACE FUNCTION mayfly.rename_session(
  p_now bigint, p_key bytea, p_address bytea, p_address_key bytea, p_quarantine_ms bigint, p_outbox integer
) RETURNS text LANGUAGE plpgsql SET lock_timeout = '5s' SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  v_holder_key bytea;
  v_is_taken boolean;
  holder mayfly.sessions;
  live mayfly.sessions;
BEGIN
  SELECT session_key INTO v_holder_key FROM mayfly.addresses WHERE address_key = p_address_key AND free_at IS NULL;
  IF v_holder_key <> p_key THEN
    PERFORM 1 FROM mayfly.sessions WHERE key = least(p_key, v_holder_key) FOR UPDATE;
    PERFORM 1 FROM mayfly.sessions WHERE key = greatest(p_key, v_holder_key) FOR UPDATE;
    holder := mayfly.take_live(v_holder_key, v_now, p_outbox);
  END IF;
  live := mayfly.take_live(p_key, v_now, p_outbox);
  IF live.key IS NULL THEN
    RETURN 'ended';
  ELSIF live.account_id IS NOT NULL THEN
    RETURN 'alias';
  ELSIF live.address_key = p_address_key THEN
    RETURN 'renamed';
  ELSIF holder.address_key = p_address_key THEN
    RETURN 'taken';
  END IF;
  INSERT INTO mayfly.addresses (address_key, session_key) VALUES (p_address_key, p_key)
  ON CONFLICT (address_key) DO UPDATE SET session_key = excluded.session_key, free_at = NULL, dots_of = NULL
    WHERE addresses.free_at <= v_now OR addresses.session_key = p_key
  RETURNING false INTO v_is_taken;
  IF v_is_taken IS NULL THEN
    RETURN 'taken';
  END IF;
  UPDATE mayfly.addresses SET free_at = v_now + greatest(live.quarantine_ms, 60000)
  WHERE address_key = live.address_key AND session_key = p_key;
  UPDATE mayfly.sessions
  SET address = p_address, address_key = p_address_key, quarantine_ms = p_quarantine_ms, seq = seq + 1,
    version = version + 1
  WHERE key = p_key;
  INSERT INTO mayfly.events (bucket, session_key, seq, kind, at)
  VALUES (live.bucket, p_key, live.seq + 1, 'session.renamed', v_now);
  PERFORM mayfly.queue_events(
    'session.renamed', ARRAY[p_key], ARRAY[live.seq + 1], ARRAY[NULL::integer], ARRAY[v_now], p_outbox
  );
  RETURN 'renamed';
END $$;

-- Ends at most the given number of due sessions, and returns their keys. Locks them one by one.
CREATE OR REPLACE FUNCTION mayfly.end_due(p_now bigint, p_limit integer, p_outbox integer)
RETURNS SETOF bytea LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  v_keys bytea[];
  v_taken bytea[] := '{}';
  v_key bytea;
BEGIN
  v_keys := ARRAY(
    SELECT key FROM (
      SELECT key FROM mayfly.sessions WHERE ended_at IS NULL AND expires_at <= v_now ORDER BY expires_at LIMIT p_limit
    ) AS due ORDER BY key
  );
  FOREACH v_key IN ARRAY v_keys LOOP
    PERFORM 1 FROM mayfly.sessions
    WHERE key = v_key AND ended_at IS NULL AND expires_at <= v_now FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
      v_taken := v_taken || v_key;
    END IF;
  END LOOP;
  PERFORM mayfly.end_sessions(v_taken, v_now, p_outbox);
  RETURN QUERY SELECT unnest(v_taken);
END $$;

-- Ends at most the given number of live sessions of a domain (p_suffix is `@` and its name), including capture
-- sessions at its labels, or of a Gmail account. Returns as many keys as were found, including those that ended meanwhile:
-- fewer than the limit say that there are no more.
CREATE OR REPLACE FUNCTION mayfly.end_some_of(
  p_now bigint, p_suffix bytea, p_account_id integer, p_limit integer, p_outbox integer
) RETURNS SETOF bytea LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_keys bytea[];
  v_taken bytea[] := '{}';
  v_key bytea;
BEGIN
  v_keys := ARRAY(
    SELECT key FROM mayfly.sessions
    WHERE ended_at IS NULL AND (
      account_id = p_account_id
      OR CASE WHEN substr(address_key, 1, 2) = '*@'::bytea THEN substr(address_key, 12) = substr(p_suffix, 2)
        ELSE substr(address_key, octet_length(address_key) - octet_length(p_suffix) + 1) = p_suffix END
    )
    ORDER BY key LIMIT p_limit
  );
  FOREACH v_key IN ARRAY v_keys LOOP
    PERFORM 1 FROM mayfly.sessions WHERE key = v_key AND ended_at IS NULL FOR UPDATE;
    IF FOUND THEN
      v_taken := v_taken || v_key;
    END IF;
  END LOOP;
  PERFORM mayfly.end_sessions(v_taken, mayfly.now_ms(p_now), p_outbox);
  RETURN QUERY SELECT unnest(v_keys);
END $$;
