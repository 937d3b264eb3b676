-- The operations on sessions, in one round trip each. `p_now` is always the current time, null for the server's clock;
-- tests use their own. `p_outbox` is the largest number of rows queued for an endpoint, 0 where webhooks are off. A
-- session's row is locked before its address's, and several sessions in the order of their keys, to prevent deadlocks.
-- Plans must not depend on when the tables were last analysed: by index or not at all.

CREATE FUNCTION mayfly.now_ms(given bigint) RETURNS bigint LANGUAGE sql VOLATILE AS
$$ SELECT coalesce(given, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) $$;

-- Returns the day by which a session that begins now has ended.
CREATE FUNCTION mayfly.bucket_of(latest_end_at bigint) RETURNS integer LANGUAGE sql IMMUTABLE AS
$$ SELECT (latest_end_at / 86400000 + 1)::integer $$;

-- Writes outbox rows for events of one kind, in the transaction of the events.
CREATE FUNCTION mayfly.queue_events(
  p_kind text, p_keys bytea[], p_seqs integer[], p_message_seqs integer[], p_ats bigint[], p_outbox integer
) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF p_outbox <= 0 THEN
    RETURN;
  END IF;
  WITH told AS MATERIALIZED (
    SELECT n.key, n.seq, n.message_seq, n.at, e.id, e.state, row_number() OVER (PARTITION BY e.id ORDER BY n.place) AS place
    FROM unnest(p_keys, p_seqs, p_message_seqs, p_ats) WITH ORDINALITY AS n (key, seq, message_seq, at, place)
    JOIN mayfly.webhook_endpoints e ON e.session_key IN (n.key, ''::bytea) AND e.state <> 'closed'
    WHERE n.seq IS NOT NULL
  ), rooms AS MATERIALIZED (
    SELECT t.id, p_outbox - (
      SELECT count(*) FROM (SELECT 1 FROM mayfly.outbox o WHERE o.endpoint_id = t.id LIMIT p_outbox) AS queued
    ) AS room
    FROM (SELECT DISTINCT id FROM told) AS t
  ), overflowing AS (
    INSERT INTO mayfly.outbox_overflow (endpoint_id, events)
    SELECT t.id, count(*) FROM told t JOIN rooms r ON r.id = t.id WHERE t.place > r.room GROUP BY t.id
  )
  INSERT INTO mayfly.outbox (endpoint_id, session_key, seq, kind, message_seq, at, queued_at, next_at)
  SELECT t.id, t.key, t.seq, p_kind, t.message_seq, t.at, t.at, CASE t.state WHEN 'active' THEN t.at END
  FROM told t JOIN rooms r ON r.id = t.id
  WHERE t.place <= r.room
  ORDER BY t.place;
END $$;

-- Ends live sessions whose rows the caller has locked: quarantines their addresses and destroys their keys.
CREATE FUNCTION mayfly.end_sessions(p_keys bytea[], p_at bigint, p_outbox integer)
RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF cardinality(p_keys) = 0 THEN
    RETURN;
  END IF;
  UPDATE mayfly.sessions SET ended_at = least(p_at, expires_at), seq = seq + 1, version = version + 1
  WHERE key = ANY (p_keys);
  DELETE FROM mayfly.data_keys WHERE session_key = ANY (p_keys);
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

-- Locks and returns the row of a live session; null if it is not live. One that is due ends here, so that a clock set
-- back cannot revive it after a caller has seen it ended.
CREATE FUNCTION mayfly.take_live(p_key bytea, p_at bigint, p_outbox integer)
RETURNS mayfly.sessions LANGUAGE plpgsql AS $$
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
CREATE FUNCTION mayfly.create_session(
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
  INSERT INTO mayfly.data_keys (session_key, data_key) VALUES (p_key, p_data_key);
  o_outcome := 'created';
END $$;

-- Returns the requested rows, each with its index in the request and the time; `data_key` is null once destroyed.
CREATE FUNCTION mayfly.find_sessions(p_now bigint, p_keys bytea[])
RETURNS TABLE (
  o_place bigint, o_now bigint, o_key bytea, o_token_hash bytea, o_address bytea, o_created_at bigint, o_expires_at bigint,
  o_latest_end_at bigint, o_ended_at bigint, o_bucket integer, o_seq integer, o_version bigint, o_message_count integer,
  o_message_bytes bigint, o_account_id integer, o_data_key bytea
) LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  o_now := mayfly.now_ms(p_now);
  RETURN QUERY
    SELECT i.place, o_now, s.key, s.token_hash, s.address, s.created_at, s.expires_at, s.latest_end_at, s.ended_at,
      s.bucket, s.seq, s.version, s.message_count, s.message_bytes, s.account_id, k.data_key
    FROM unnest(p_keys) WITH ORDINALITY AS i (key, place)
    JOIN mayfly.sessions s ON s.key = i.key
    LEFT JOIN mayfly.data_keys k ON k.session_key = s.key;
END $$;

-- Returns the same for the current or last holders of the addresses.
CREATE FUNCTION mayfly.find_holders(p_now bigint, p_address_keys bytea[])
RETURNS TABLE (
  o_place bigint, o_now bigint, o_key bytea, o_token_hash bytea, o_address bytea, o_created_at bigint, o_expires_at bigint,
  o_latest_end_at bigint, o_ended_at bigint, o_bucket integer, o_seq integer, o_version bigint, o_message_count integer,
  o_message_bytes bigint, o_account_id integer, o_data_key bytea
) LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  o_now := mayfly.now_ms(p_now);
  RETURN QUERY
    SELECT i.place, o_now, s.key, s.token_hash, s.address, s.created_at, s.expires_at, s.latest_end_at, s.ended_at,
      s.bucket, s.seq, s.version, s.message_count, s.message_bytes, s.account_id, k.data_key
    FROM unnest(p_address_keys) WITH ORDINALITY AS i (address_key, place)
    JOIN mayfly.addresses a ON a.address_key = i.address_key
    JOIN mayfly.sessions s ON s.key = a.session_key
    LEFT JOIN mayfly.data_keys k ON k.session_key = s.key
    WHERE a.free_at IS NULL;
END $$;

-- Ends the session if it is due.
CREATE FUNCTION mayfly.end_if_due(p_now bigint, p_key bytea, p_outbox integer)
RETURNS void LANGUAGE plpgsql SET lock_timeout = '5s' AS $$
BEGIN
  PERFORM mayfly.take_live(p_key, mayfly.now_ms(p_now), p_outbox);
END $$;

-- Returns false if it is not live.
CREATE FUNCTION mayfly.end_session(p_now bigint, p_key bytea, p_outbox integer)
RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '5s' AS $$
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
CREATE FUNCTION mayfly.extend_session(p_now bigint, p_key bytea, p_lifetime_ms bigint, p_outbox integer)
RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '5s' AS $$
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

-- Ends at most the given number of due sessions, and returns their keys.
CREATE FUNCTION mayfly.end_due(p_now bigint, p_limit integer, p_outbox integer)
RETURNS SETOF bytea LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  v_keys bytea[];
BEGIN
  v_keys := ARRAY(
    SELECT key FROM mayfly.sessions WHERE ended_at IS NULL AND expires_at <= v_now
    ORDER BY expires_at LIMIT p_limit FOR UPDATE SKIP LOCKED
  );
  PERFORM mayfly.end_sessions(v_keys, v_now, p_outbox);
  RETURN QUERY SELECT unnest(v_keys);
END $$;

-- Ends at most the given number of live sessions of a domain (p_suffix is `@` and its name) or of a Gmail account, and
-- returns how many.
CREATE FUNCTION mayfly.end_some_of(p_now bigint, p_suffix bytea, p_account_id integer, p_limit integer, p_outbox integer)
RETURNS SETOF bytea LANGUAGE plpgsql AS $$
DECLARE
  v_keys bytea[];
BEGIN
  v_keys := ARRAY(
    SELECT key FROM mayfly.sessions
    WHERE ended_at IS NULL AND (
      account_id = p_account_id
      OR substr(address_key, octet_length(address_key) - octet_length(p_suffix) + 1) = p_suffix
    )
    ORDER BY key LIMIT p_limit FOR UPDATE
  );
  PERFORM mayfly.end_sessions(v_keys, mayfly.now_ms(p_now), p_outbox);
  RETURN QUERY SELECT unnest(v_keys);
END $$;
