-- The functions of the schema where it is distributed by Citus, in place of those of the migrations and with the same
-- answers. A statement of theirs names the key of one session wherever it can, so that it goes to one shard; those of the
-- sweep alone are about many. What webhooks are to be told of is first noted beside the session (`outbox_news`) and taken
-- from there into the outbox, which lies on the coordinator: a delivery writes on one machine.

-- Stable, so that a statement of which it is a condition gets one instant on all machines. In PL/pgSQL, so that it is not
-- expanded.
CREATE OR REPLACE FUNCTION mayfly.now_ms(given bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS
$$ BEGIN RETURN coalesce(given, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint); END $$;

CREATE OR REPLACE FUNCTION mayfly.queue_events(
  p_kind text, p_keys bytea[], p_seqs integer[], p_message_seqs integer[], p_ats bigint[], p_outbox integer
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_is_operators boolean := p_outbox < 1073741824 OR p_outbox = 2147483647;
  v_key bytea;
  v_id bigint;
  i integer;
BEGIN
  IF p_outbox <= 0 THEN
    RETURN;
  END IF;
  FOR i, v_key IN
    SELECT place, key FROM unnest(p_keys) WITH ORDINALITY AS t (key, place) ORDER BY place
  LOOP
    CONTINUE WHEN p_seqs[i] IS NULL;
    IF NOT v_is_operators THEN
      PERFORM 1 FROM mayfly.webhook_sessions WHERE session_key = v_key;
      CONTINUE WHEN NOT FOUND;
    END IF;
    v_id := hashtextextended(gen_random_uuid()::text, 0);
    INSERT INTO mayfly.outbox_news (session_key, id, seq, kind, message_seq, at, outbox)
    VALUES (v_key, v_id, p_seqs[i], p_kind, p_message_seqs[i], p_ats[i], p_outbox);
  END LOOP;
END $$;

-- Takes at most so many notes into the outbox; how many it met, those that were taken before included. One node at a time: the order of a session's events is kept. The
-- coordinator remembers them, and they are deleted by a transaction of its own: no commit of several machines is needed.
CREATE OR REPLACE FUNCTION mayfly.take_news(p_limit integer) RETURNS integer LANGUAGE plpgsql
SET lock_timeout = '5s' SET jit = off AS $$
DECLARE
  v_keys bytea[];
  v_ids bigint[];
  v_ats bigint[];
  v_seqs integer[];
  v_message_seqs integer[];
  v_outboxes integer[];
  v_kinds text[];
  v_run record;
BEGIN
  IF NOT pg_try_advisory_xact_lock(1296123462, 6) THEN
    RETURN 0;
  END IF;
  SELECT array_agg(session_key), array_agg(id), array_agg(at), array_agg(seq), array_agg(message_seq), array_agg(outbox),
    array_agg(kind)
  INTO v_keys, v_ids, v_ats, v_seqs, v_message_seqs, v_outboxes, v_kinds
  FROM (SELECT * FROM mayfly.outbox_news ORDER BY at, session_key, seq LIMIT p_limit) AS n;
  FOR v_run IN
    WITH news AS (
      SELECT * FROM unnest(v_keys, v_ids, v_ats, v_seqs, v_message_seqs, v_outboxes, v_kinds) WITH ORDINALITY
        AS n (session_key, id, at, seq, message_seq, outbox, kind, place)
    ), taken AS (
      INSERT INTO mayfly.outbox_taken (session_key, id) SELECT session_key, id FROM news
      ON CONFLICT DO NOTHING RETURNING session_key, id
    )
    SELECT kind, outbox, array_agg(session_key ORDER BY place) AS keys, array_agg(seq ORDER BY place) AS seqs,
      array_agg(message_seq ORDER BY place) AS message_seqs, array_agg(at ORDER BY place) AS ats
    FROM (
      SELECT n.*, n.place - row_number() OVER (PARTITION BY n.kind, n.outbox ORDER BY n.place) AS run,
        n.kind = 'session.extended' AND n.place < max(n.place) OVER (PARTITION BY n.session_key, n.kind, n.outbox) AS is_old
      FROM news n JOIN taken t ON t.session_key = n.session_key AND t.id = n.id
    ) AS placed
    WHERE NOT is_old
    GROUP BY kind, outbox, run ORDER BY min(place)
  LOOP
    PERFORM mayfly.fill_outbox(v_run.kind, v_run.keys, v_run.seqs, v_run.message_seqs, v_run.ats, v_run.outbox);
  END LOOP;
  RETURN coalesce(cardinality(v_keys), 0);
END $$;

-- Deletes the notes that were taken.
CREATE OR REPLACE FUNCTION mayfly.drop_taken_news() RETURNS void LANGUAGE plpgsql SET lock_timeout = '5s' SET jit = off AS $$
DECLARE
  v_keys bytea[];
  v_ids bigint[];
BEGIN
  SELECT array_agg(session_key), array_agg(id) INTO v_keys, v_ids FROM mayfly.outbox_taken;
  IF v_keys IS NOT NULL THEN
    DELETE FROM mayfly.outbox_news WHERE session_key = ANY (v_keys) AND id = ANY (v_ids);
  END IF;
END $$;

-- Forgets those that can no longer be seen: a commit of several machines may reach one of them late.
CREATE OR REPLACE FUNCTION mayfly.forget_taken_news() RETURNS void LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_ids bigint[];
BEGIN
  IF EXISTS (SELECT 1 FROM mayfly.outbox_taken) AND pg_try_advisory_xact_lock(1296123462, 6) THEN
    v_ids := ARRAY(SELECT id FROM mayfly.outbox_news);
    DELETE FROM mayfly.outbox_taken WHERE id <> ALL (v_ids);
  END IF;
END $$;

-- Endpoints on a host that wait for their challenge, or take events of a session that lives.
CREATE OR REPLACE FUNCTION mayfly.count_endpoints(p_now bigint, p_host_tag bytea) RETURNS bigint LANGUAGE plpgsql
SET jit = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  v_pending bigint;
  v_keys bytea[];
  v_active bigint;
BEGIN
  SELECT count(*) FILTER (WHERE state = 'pending'), coalesce(array_agg(session_key) FILTER (WHERE state = 'active'), '{}')
  INTO v_pending, v_keys FROM mayfly.webhook_endpoints WHERE host_tag = p_host_tag;
  SELECT count(*) INTO v_active FROM mayfly.sessions WHERE key = ANY (v_keys) AND ended_at IS NULL AND expires_at > v_now;
  RETURN v_pending + v_active;
END $$;

-- An endpoint of a session that is known, and its challenge. The session is marked first: at worst a mark without an
-- endpoint is left.
CREATE OR REPLACE FUNCTION mayfly.add_endpoint(
  p_now bigint, p_key bytea, p_sealed bytea, p_host_tag bytea, p_maker_tag bytea
) RETURNS SETOF bigint LANGUAGE plpgsql SET lock_timeout = '5s' SET jit = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
BEGIN
  PERFORM 1 FROM mayfly.sessions WHERE key = p_key;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO mayfly.webhook_sessions (session_key) VALUES (p_key) ON CONFLICT DO NOTHING;
  RETURN QUERY
    WITH added AS (
      INSERT INTO mayfly.webhook_endpoints (session_key, sealed, host_tag, maker_tag, state, changed_at)
      VALUES (p_key, p_sealed, p_host_tag, p_maker_tag, 'pending', v_now)
      RETURNING id, session_key, changed_at
    )
    INSERT INTO mayfly.outbox (endpoint_id, session_key, seq, kind, at, queued_at, next_at)
    SELECT id, session_key, 0, 'webhook.challenge', changed_at, changed_at, changed_at FROM added
    RETURNING outbox.id;
END $$;

-- Which of these sessions have not ended.
CREATE OR REPLACE FUNCTION mayfly.not_ended(p_keys bytea[]) RETURNS bytea[] LANGUAGE plpgsql SET jit = off AS $$
BEGIN
  RETURN ARRAY(SELECT key FROM mayfly.sessions WHERE key = ANY (p_keys) AND ended_at IS NULL);
END $$;

CREATE OR REPLACE FUNCTION mayfly.end_pending(p_now bigint) RETURNS void LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  v_live bytea[] := mayfly.not_ended(ARRAY(SELECT session_key FROM mayfly.webhook_endpoints WHERE state = 'pending'));
BEGIN
  UPDATE mayfly.webhook_endpoints SET state = 'closed', due_at = NULL, changed_at = v_now WHERE id IN (
    SELECT id FROM mayfly.webhook_endpoints WHERE state = 'pending' AND session_key <> ALL (v_live)
    FOR NO KEY UPDATE SKIP LOCKED
  );
END $$;

CREATE OR REPLACE FUNCTION mayfly.drop_endpoints(p_operators bigint) RETURNS void LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_live bytea[] := mayfly.not_ended(ARRAY(
    SELECT e.session_key FROM mayfly.webhook_endpoints e
    WHERE e.id <> p_operators AND NOT EXISTS (SELECT 1 FROM mayfly.outbox o WHERE o.endpoint_id = e.id)
  ));
BEGIN
  DELETE FROM mayfly.webhook_endpoints e
  WHERE e.id <> p_operators AND e.session_key <> ALL (v_live)
    AND NOT EXISTS (SELECT 1 FROM mayfly.outbox o WHERE o.endpoint_id = e.id);
END $$;

CREATE OR REPLACE FUNCTION mayfly.find_sessions(p_now bigint, p_keys bytea[])
RETURNS TABLE (
  o_place bigint, o_now bigint, o_key bytea, o_token_hash bytea, o_address bytea, o_created_at bigint, o_expires_at bigint,
  o_latest_end_at bigint, o_ended_at bigint, o_bucket integer, o_seq integer, o_version bigint, o_message_count integer,
  o_message_bytes bigint, o_account_id integer, o_data_key bytea, o_drops_oldest boolean
) LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_key bytea;
BEGIN
  o_now := mayfly.now_ms(p_now);
  FOR o_place, v_key IN SELECT place, key FROM unnest(p_keys) WITH ORDINALITY AS t (key, place) LOOP
    FOR o_key, o_token_hash, o_address, o_created_at, o_expires_at, o_latest_end_at, o_ended_at, o_bucket, o_seq,
      o_version, o_message_count, o_message_bytes, o_account_id, o_data_key, o_drops_oldest IN
      SELECT s.key, s.token_hash, s.address, s.created_at, s.expires_at, s.latest_end_at, s.ended_at,
        s.bucket, s.seq, s.version, s.message_count, s.message_bytes, s.account_id, k.data_key, s.drops_oldest
      FROM mayfly.sessions s LEFT JOIN mayfly.data_keys k ON k.session_key = s.key WHERE s.key = v_key
    LOOP
      RETURN NEXT;
    END LOOP;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION mayfly.find_holders(p_now bigint, p_address_keys bytea[])
RETURNS TABLE (
  o_place bigint, o_now bigint, o_key bytea, o_token_hash bytea, o_address bytea, o_created_at bigint, o_expires_at bigint,
  o_latest_end_at bigint, o_ended_at bigint, o_bucket integer, o_seq integer, o_version bigint, o_message_count integer,
  o_message_bytes bigint, o_account_id integer, o_data_key bytea, o_drops_oldest boolean
) LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_address_key bytea;
  v_place bigint;
  v_key bytea;
BEGIN
  FOR v_place, v_address_key IN SELECT place, key FROM unnest(p_address_keys) WITH ORDINALITY AS t (key, place) LOOP
    SELECT session_key INTO v_key FROM mayfly.addresses WHERE address_key = v_address_key AND free_at IS NULL;
    CONTINUE WHEN NOT FOUND;
    RETURN QUERY
      SELECT v_place, f.o_now, f.o_key, f.o_token_hash, f.o_address, f.o_created_at, f.o_expires_at, f.o_latest_end_at,
        f.o_ended_at, f.o_bucket, f.o_seq, f.o_version, f.o_message_count, f.o_message_bytes, f.o_account_id,
        f.o_data_key, f.o_drops_oldest
      FROM mayfly.find_sessions(p_now, ARRAY[v_key]) AS f;
  END LOOP;
END $$;

-- Ends live sessions whose rows the caller has locked: their addresses rest, their keys are destroyed. One is ended by
-- statements that go to its shard and its address's, many by statements that go to all shards at once.
CREATE OR REPLACE FUNCTION mayfly.end_sessions(p_keys bytea[], p_at bigint, p_outbox integer)
RETURNS void LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_key bytea := p_keys[1];
  v_session mayfly.sessions;
BEGIN
  IF cardinality(p_keys) = 0 THEN
    RETURN;
  END IF;
  IF cardinality(p_keys) = 1 THEN
    UPDATE mayfly.sessions SET ended_at = least(p_at, expires_at), seq = seq + 1, version = version + 1
    WHERE key = v_key RETURNING * INTO v_session;
    INSERT INTO mayfly.destroyed_keys (generation, session_key)
    SELECT generation, session_key FROM mayfly.data_keys WHERE session_key = v_key;
    DELETE FROM mayfly.data_keys WHERE session_key = v_key;
    INSERT INTO mayfly.events (bucket, session_key, seq, kind, at)
    VALUES (v_session.bucket, v_key, v_session.seq, 'session.expired', v_session.ended_at);
    PERFORM mayfly.queue_events(
      'session.expired', ARRAY[v_key], ARRAY[v_session.seq], ARRAY[NULL::integer], ARRAY[v_session.ended_at], p_outbox
    );
    UPDATE mayfly.addresses SET free_at = v_session.ended_at + v_session.quarantine_ms
    WHERE address_key = v_session.address_key AND session_key = v_key;
    RETURN;
  END IF;
  UPDATE mayfly.sessions SET ended_at = least(p_at, expires_at), seq = seq + 1, version = version + 1
  WHERE key = ANY (p_keys);
  INSERT INTO mayfly.destroyed_keys (generation, session_key)
  SELECT generation, session_key FROM mayfly.data_keys WHERE session_key = ANY (p_keys);
  DELETE FROM mayfly.data_keys WHERE session_key = ANY (p_keys);
  INSERT INTO mayfly.events (bucket, session_key, seq, kind, at)
  SELECT bucket, key, seq, 'session.expired', ended_at FROM mayfly.sessions WHERE key = ANY (p_keys);
  IF p_outbox > 0 THEN
    PERFORM mayfly.queue_events(
      'session.expired', array_agg(key), array_agg(seq), array_agg(NULL::integer), array_agg(ended_at), p_outbox
    ) FROM (SELECT key, seq, ended_at FROM mayfly.sessions WHERE key = ANY (p_keys) ORDER BY key) AS s;
  END IF;
  WITH gone AS MATERIALIZED (
    SELECT address_key, key, ended_at + quarantine_ms AS free_at FROM mayfly.sessions WHERE key = ANY (p_keys)
    OFFSET 0
  )
  UPDATE mayfly.addresses a SET free_at = gone.free_at FROM gone
  WHERE a.address_key = gone.address_key AND a.session_key = gone.key;
END $$;

CREATE OR REPLACE FUNCTION mayfly.create_session(
  p_now bigint, p_key bytea, p_token_hash bytea, p_address bytea, p_address_key bytea, p_data_key bytea,
  p_lifetime_ms bigint, p_total_ms bigint, p_quarantine_ms bigint, p_account_id integer, p_outbox integer,
  OUT o_outcome text, OUT o_at bigint, OUT o_bucket integer
) LANGUAGE plpgsql SET lock_timeout = '5s' SET jit = off AS $$
DECLARE
  holder mayfly.addresses;
  holding mayfly.sessions;
  v_dots_of integer;
  v_is_taken boolean;
BEGIN
  o_at := mayfly.now_ms(p_now);
  o_bucket := mayfly.bucket_of(o_at + p_total_ms);
  -- Not locked: what is dropped has passed, and this one lies ahead.
  PERFORM 1 FROM mayfly.buckets WHERE bucket = o_bucket AND passed_at IS NULL;
  IF NOT FOUND THEN
    o_outcome := 'no bucket';
    RETURN;
  END IF;
  SELECT * INTO holder FROM mayfly.addresses WHERE address_key = p_address_key;
  IF holder.session_key = p_key THEN
    -- Asked a second time, the first answer having been lost.
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
  -- A spelling with a plus tag is none of the few that dots make.
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
    key, token_hash, address, address_key, created_at, expires_at, latest_end_at, quarantine_ms, bucket, account_id
  ) VALUES (
    p_key, p_token_hash, p_address, p_address_key, o_at, o_at + p_lifetime_ms, o_at + p_total_ms, p_quarantine_ms,
    o_bucket, p_account_id
  );
  INSERT INTO mayfly.data_keys (generation, session_key, data_key) VALUES (0, p_key, p_data_key);
  o_outcome := 'created';
END $$;

-- Ends at most so many of those that are due; their keys. Locked one by one, in the order of their keys.
CREATE OR REPLACE FUNCTION mayfly.end_due(p_now bigint, p_limit integer, p_outbox integer)
RETURNS SETOF bytea LANGUAGE plpgsql SET jit = off AS $$
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
  -- Those that ended meanwhile too: as many as were looked for tell the caller that there may be more.
  RETURN QUERY SELECT unnest(v_keys);
END $$;

CREATE OR REPLACE FUNCTION mayfly.rename_session(
  p_now bigint, p_key bytea, p_address bytea, p_address_key bytea, p_quarantine_ms bigint, p_outbox integer
) RETURNS text LANGUAGE plpgsql SET lock_timeout = '5s' SET jit = off AS $$
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

CREATE OR REPLACE FUNCTION mayfly.drop_chunks(p_bucket integer, p_key bytea, p_ingest bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM mayfly.chunks WHERE bucket = p_bucket AND session_key = p_key AND ingest_id = p_ingest;
END $$;

-- Keeps the newest attempts of each session, at most so many; nothing for a session that is not live.
CREATE OR REPLACE FUNCTION mayfly.add_attempts(
  p_now bigint, p_keys bytea[], p_ages_ms bigint[], p_sealed bytea[], p_entries_max integer
) RETURNS void LANGUAGE plpgsql SET lock_timeout = '5s' SET jit = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  v_key bytea;
  v_bucket integer;
  v_number bigint;
  v_old record;
  i integer;
BEGIN
  FOR v_key IN SELECT DISTINCT key FROM unnest(p_keys) AS key ORDER BY key LOOP
    SELECT bucket INTO v_bucket FROM mayfly.sessions
    WHERE key = v_key AND ended_at IS NULL AND expires_at > v_now FOR UPDATE;
    CONTINUE WHEN NOT FOUND;
    FOR i IN 1..cardinality(p_keys) LOOP
      CONTINUE WHEN p_keys[i] <> v_key;
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

-- Keeps what is given in place of what was; not a change of the list.
CREATE OR REPLACE FUNCTION mayfly.keep_note(
  p_bucket integer, p_key bytea, p_seq integer, p_glance bytea, p_authentication bytea
) RETURNS void LANGUAGE plpgsql SET lock_timeout = '5s' AS $$
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

-- One step of freeing what ended sessions and deleted messages held; false when there was nothing to do. What it is about
-- is looked for on all shards, and done on one.
CREATE OR REPLACE FUNCTION mayfly.reclaim_step(p_now bigint, p_ended_known_ms bigint)
RETURNS boolean LANGUAGE plpgsql SET jit = off AS $$
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

-- Buckets whose day has passed and whose sessions have all ended: from now on nothing is written to them.
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

-- Sees to it that none of these shards leaves this machine before the transaction ends; an error when one is not there.
CREATE OR REPLACE FUNCTION mayfly.stay_here(p_shards bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_shard_metadata(5, p_shards);
  IF (
    SELECT count(*) FROM pg_catalog.pg_dist_placement p
    WHERE p.shardid = ANY (p_shards) AND p.groupid = (SELECT groupid FROM pg_catalog.pg_dist_local_group LIMIT 1)
  ) <> cardinality(p_shards) THEN
    RAISE EXCEPTION USING ERRCODE = 'MF001', MESSAGE = 'A shard has moved.';
  END IF;
END $$;

-- Gives the shards of a table what Citus leaves out when it makes those of a partition: how columns are stored, and of
-- which no statistics are kept, since these are copies of values, keys among them.
CREATE OR REPLACE FUNCTION mayfly.settle_shards(p_table regclass) RETURNS void LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_changes text;
  v_failed text;
BEGIN
  SELECT string_agg(
    format(
      'ALTER COLUMN %I SET STATISTICS %s, ALTER COLUMN %I SET STORAGE %s', attname, attstattarget, attname,
      CASE attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END
    ), ', '
  ) INTO v_changes
  FROM pg_attribute WHERE attrelid = p_table AND attnum > 0 AND NOT attisdropped;
  SELECT result INTO v_failed FROM run_command_on_shards(p_table, format('ALTER TABLE %%s %s', v_changes))
  WHERE NOT success LIMIT 1;
  IF v_failed IS NOT NULL THEN
    RAISE EXCEPTION 'A shard of % could not be settled: %', p_table, v_failed;
  END IF;
END $$;

-- Over one connection to each worker: over several, the shards of one partition wait for each other in a circle under load.
ALTER FUNCTION mayfly.make_bucket(integer) SET citus.multi_shard_modify_mode = 'sequential';
