-- The time of each endpoint's next try, so that a look-up meets an endpoint only once however many events are queued,
-- and their number; the result of its last try. Compatible with older programs.
-- needs: 8

ALTER TABLE mayfly.webhook_endpoints
  ADD COLUMN maker_tag bytea, -- by which endpoints made from one network are counted
  ADD COLUMN queued bigint NOT NULL DEFAULT 0, -- rows in the outbox, dead ones apart; the operator's are counted below
  ADD COLUMN due_at bigint, -- never later than its next try; null while there is none
  ADD COLUMN served_at bigint NOT NULL DEFAULT 0, -- an endpoint that was served goes to the end
  ADD COLUMN rests_until bigint NOT NULL DEFAULT 0,
  ADD COLUMN last_error text; -- of the last try; null when it went well

-- Every delivery writes to the operator's queue, so a single counter would make them wait for each other.
CREATE TABLE mayfly.operator_queue (
  slot integer PRIMARY KEY,
  queued bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
INSERT INTO mayfly.operator_queue (slot) SELECT generate_series(0, 31);

CREATE INDEX outbox_next ON mayfly.outbox (endpoint_id, next_at, id) WHERE next_at IS NOT NULL;
DROP INDEX mayfly.outbox_due;
CREATE INDEX outbox_held ON mayfly.outbox (endpoint_id) WHERE next_at IS NULL AND dead_at IS NULL;
CREATE INDEX outbox_extended ON mayfly.outbox (session_key)
  WHERE kind = 'session.extended' AND dead_at IS NULL;
CREATE INDEX webhook_endpoints_due ON mayfly.webhook_endpoints (state, (last_error IS NOT NULL), due_at)
  WHERE due_at IS NOT NULL;

-- Updates the counts and due times of endpoints after changes to their rows. Locks the endpoints' rows first: any
-- concurrent change of the outbox has then been committed, and the next statement sees it.
CREATE FUNCTION mayfly.note_outbox(p_ids bigint[], p_changes bigint[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off AS $$
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

CREATE FUNCTION mayfly.outbox_filled() RETURNS trigger LANGUAGE plpgsql AS $$
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
  RETURN NULL;
END $$;

CREATE FUNCTION mayfly.outbox_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_ids bigint[];
  v_changes bigint[];
BEGIN
  SELECT array_agg(endpoint_id), array_agg(change) INTO v_ids, v_changes
  FROM (SELECT endpoint_id, -count(*) AS change FROM gone WHERE dead_at IS NULL GROUP BY endpoint_id) AS t;
  IF v_ids IS NOT NULL THEN
    PERFORM mayfly.note_outbox(v_ids, v_changes);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION mayfly.outbox_changed() RETURNS trigger LANGUAGE plpgsql AS $$
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
  RETURN NULL;
END $$;

CREATE TRIGGER outbox_filled AFTER INSERT ON mayfly.outbox
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION mayfly.outbox_filled();
CREATE TRIGGER outbox_emptied AFTER DELETE ON mayfly.outbox
REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION mayfly.outbox_emptied();
CREATE TRIGGER outbox_changed AFTER UPDATE ON mayfly.outbox
REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION mayfly.outbox_changed();

-- Initialises existing rows.
UPDATE mayfly.operator_queue
SET queued = (SELECT count(*) FROM mayfly.outbox WHERE endpoint_id = 1 AND dead_at IS NULL) WHERE slot = 0;
UPDATE mayfly.webhook_endpoints e SET
  queued = (SELECT count(*) FROM mayfly.outbox o WHERE o.endpoint_id = e.id AND o.dead_at IS NULL),
  due_at = (SELECT min(next_at) FROM mayfly.outbox o WHERE o.endpoint_id = e.id)
WHERE id <> 1;

-- Writes outbox rows for events of one kind, in the transaction of the events. `p_outbox` is the largest number of
-- rows queued for an endpoint, 0 where webhooks are off, plus 2^30 if the operator's URL is not set, which leaves out
-- the operator's endpoint. A newer session.extended replaces an earlier one, so that at most one waits.
CREATE OR REPLACE FUNCTION mayfly.queue_events(
  p_kind text, p_keys bytea[], p_seqs integer[], p_message_seqs integer[], p_ats bigint[], p_outbox integer
) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  -- Passed by programs older than the mark for any number of rows.
  v_is_operators boolean := p_outbox < 1073741824 OR p_outbox = 2147483647;
  v_rows bigint := CASE WHEN p_outbox = 2147483647 THEN p_outbox ELSE p_outbox % 1073741824 END;
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
