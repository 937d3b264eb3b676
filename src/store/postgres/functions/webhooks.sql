-- Webhooks: the outbox, its triggers and its endpoints, by the rules of sessions.sql. Events reach the outbox by
-- queue_events, which differs (plain/, citus/). Endpoints and outbox lie apart from the sessions of a distributed schema,
-- so no statement joins them.

-- Updates the counts and due times of endpoints after changes to their rows. Locks the endpoints' rows first: any
-- concurrent change of the outbox has then been committed, and the next statement sees it.
CREATE OR REPLACE FUNCTION mayfly.note_outbox(p_ids bigint[], p_changes bigint[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_operator bigint;
BEGIN
  SELECT change INTO v_operator FROM unnest(p_ids, p_changes) AS t (id, change) WHERE t.id = 1;
  IF v_operator <> 0 THEN
    UPDATE mayfly.operator_queue SET queued = queued + v_operator WHERE slot = (txid_current() % 32)::integer;
  END IF;
  IF v_operator IS NOT NULL AND cardinality(p_ids) = 1 THEN
    RETURN;
  END IF;
  PERFORM 1 FROM mayfly.webhook_endpoints WHERE id = ANY (p_ids) AND id <> 1 ORDER BY id FOR NO KEY UPDATE;
  UPDATE mayfly.webhook_endpoints e
  SET queued = e.queued + t.change,
    due_at = (
      SELECT greatest(o.next_at, e.served_at, e.rests_until) FROM mayfly.outbox o
      WHERE o.endpoint_id = e.id AND o.next_at IS NOT NULL ORDER BY o.next_at, o.id LIMIT 1
    )
  FROM unnest(p_ids, p_changes) AS t (id, change)
  WHERE e.id = t.id AND e.id <> 1;
END $$;

CREATE OR REPLACE FUNCTION mayfly.outbox_filled() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_ids bigint[];
  v_changes bigint[];
BEGIN
  SELECT array_agg(endpoint_id), array_agg(change) INTO v_ids, v_changes
  FROM (
    SELECT endpoint_id, count(*) FILTER (WHERE dead_at IS NULL) AS change FROM added GROUP BY endpoint_id
  ) AS t;
  IF v_ids IS NOT NULL THEN
    PERFORM mayfly.note_outbox(v_ids, v_changes);
  END IF;
  -- What was to be said of messages that are gone.
  IF EXISTS (SELECT 1 FROM added WHERE kind IN ('message.deleted', 'message.dropped', 'session.expired')) THEN
    DELETE FROM mayfly.outbox_contents c USING added a
    WHERE c.session_key = a.session_key AND (
      a.kind = 'session.expired' OR (a.kind IN ('message.deleted', 'message.dropped') AND c.message_seq = a.message_seq)
    );
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION mayfly.outbox_emptied() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_ids bigint[];
  v_changes bigint[];
BEGIN
  SELECT array_agg(endpoint_id), array_agg(change) INTO v_ids, v_changes
  FROM (SELECT endpoint_id, -count(*) AS change FROM gone WHERE dead_at IS NULL GROUP BY endpoint_id) AS t;
  IF v_ids IS NOT NULL THEN
    PERFORM mayfly.note_outbox(v_ids, v_changes);
  END IF;
  DELETE FROM mayfly.outbox_contents c USING gone WHERE c.outbox_id = gone.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION mayfly.outbox_changed() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_ids bigint[];
  v_changes bigint[];
BEGIN
  SELECT array_agg(endpoint_id), array_agg(change) INTO v_ids, v_changes
  FROM (
    SELECT endpoint_id, sum(alive)::bigint AS change
    FROM (
      SELECT endpoint_id, (dead_at IS NULL)::integer AS alive FROM after
      UNION ALL
      SELECT endpoint_id, -(dead_at IS NULL)::integer FROM before
    ) AS both_of
    GROUP BY endpoint_id
  ) AS t;
  IF v_ids IS NOT NULL THEN
    PERFORM mayfly.note_outbox(v_ids, v_changes);
  END IF;
  DELETE FROM mayfly.outbox_contents c USING after WHERE c.outbox_id = after.id AND after.dead_at IS NOT NULL;
  RETURN NULL;
END $$;

-- Writes outbox rows for events of one kind. A newer session.extended replaces an earlier one, so that at most one waits.
CREATE OR REPLACE FUNCTION mayfly.fill_outbox(
  p_kind text, p_keys bytea[], p_seqs integer[], p_message_seqs integer[], p_ats bigint[], p_outbox integer
) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_is_operators boolean := p_outbox < 1073741824;
  v_rows bigint := p_outbox % 1073741824;
BEGIN
  IF p_outbox <= 0 THEN
    RETURN;
  END IF;
  IF p_kind = 'session.extended' THEN
    DELETE FROM mayfly.outbox
    WHERE session_key = ANY (p_keys) AND kind = 'session.extended' AND dead_at IS NULL
      AND (v_is_operators OR endpoint_id <> 1);
  END IF;
  WITH told AS MATERIALIZED (
    SELECT n.key, n.seq, n.message_seq, n.at, e.id, e.state = 'active' OR e.id = 1 AS is_active, e.queued,
      row_number() OVER (PARTITION BY e.id ORDER BY n.place) AS place
    FROM unnest(p_keys, p_seqs, p_message_seqs, p_ats) WITH ORDINALITY AS n (key, seq, message_seq, at, place)
    JOIN mayfly.webhook_endpoints e ON e.session_key IN (n.key, ''::bytea)
      AND CASE WHEN e.id = 1 THEN v_is_operators ELSE e.state <> 'closed' END
    WHERE n.seq IS NOT NULL
  ), rooms AS MATERIALIZED (
    SELECT t.id, v_rows - CASE t.id
      WHEN 1 THEN (SELECT sum(queued) FROM mayfly.operator_queue)
      ELSE t.queued
    END AS room
    FROM (SELECT DISTINCT id, queued FROM told) AS t
  ), overflowing AS (
    INSERT INTO mayfly.outbox_overflow (endpoint_id, events)
    SELECT t.id, count(*) FROM told t JOIN rooms r ON r.id = t.id WHERE t.place > r.room GROUP BY t.id
  )
  INSERT INTO mayfly.outbox (endpoint_id, session_key, seq, kind, message_seq, at, queued_at, next_at)
  SELECT t.id, t.key, t.seq, p_kind, t.message_seq, t.at, t.at, CASE WHEN t.is_active THEN t.at END
  FROM told t JOIN rooms r ON r.id = t.id
  WHERE t.place <= r.room
  ORDER BY t.place;
END $$;

-- Counts the endpoints on a host that await their challenge, or belong to a live session.
CREATE OR REPLACE FUNCTION mayfly.count_endpoints(p_now bigint, p_host_tag bytea) RETURNS bigint LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off AS $$
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

-- Adds an endpoint of a known session, and its challenge. The session is marked first: at worst a mark without an
-- endpoint is left.
CREATE OR REPLACE FUNCTION mayfly.add_endpoint(
  p_now bigint, p_key bytea, p_sealed bytea, p_host_tag bytea, p_maker_tag bytea
) RETURNS SETOF bigint LANGUAGE plpgsql SET lock_timeout = '5s' SET enable_seqscan = off SET jit = off AS $$
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

-- Returns those of the sessions that have not ended.
CREATE OR REPLACE FUNCTION mayfly.not_ended(p_keys bytea[]) RETURNS bytea[] LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off AS $$
BEGIN
  RETURN ARRAY(SELECT key FROM mayfly.sessions WHERE key = ANY (p_keys) AND ended_at IS NULL);
END $$;

-- Closes endpoints whose session ended before their challenge was answered.
CREATE OR REPLACE FUNCTION mayfly.end_pending(p_now bigint) RETURNS void LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  v_live bytea[] := mayfly.not_ended(ARRAY(SELECT session_key FROM mayfly.webhook_endpoints WHERE state = 'pending'));
BEGIN
  UPDATE mayfly.webhook_endpoints SET state = 'closed', due_at = NULL, changed_at = v_now WHERE id IN (
    SELECT e.id FROM mayfly.webhook_endpoints e WHERE e.state = 'pending'
      AND NOT EXISTS (SELECT 1 FROM unnest(v_live) AS l (key) WHERE l.key = e.session_key)
    FOR NO KEY UPDATE OF e SKIP LOCKED
  );
END $$;

-- Deletes the endpoints of sessions that have ended, once nothing of theirs is in the outbox.
CREATE OR REPLACE FUNCTION mayfly.drop_endpoints(p_operators bigint) RETURNS void LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_live bytea[] := mayfly.not_ended(ARRAY(
    SELECT e.session_key FROM mayfly.webhook_endpoints e
    WHERE e.id <> p_operators AND NOT EXISTS (SELECT 1 FROM mayfly.outbox o WHERE o.endpoint_id = e.id)
  ));
BEGIN
  DELETE FROM mayfly.webhook_endpoints e
  WHERE e.id <> p_operators
    AND NOT EXISTS (SELECT 1 FROM unnest(v_live) AS l (key) WHERE l.key = e.session_key)
    AND NOT EXISTS (SELECT 1 FROM mayfly.outbox o WHERE o.endpoint_id = e.id);
END $$;
