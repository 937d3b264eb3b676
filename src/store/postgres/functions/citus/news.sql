-- What webhooks are to be told of, where the schema is distributed: first noted beside the session, and taken from there
-- into the outbox, which lies on the coordinator. So a delivery writes on one machine.

CREATE OR REPLACE FUNCTION mayfly.queue_events(
  p_kind text, p_keys bytea[], p_seqs integer[], p_message_seqs integer[], p_ats bigint[], p_outbox integer
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_is_operators boolean := p_outbox < 1073741824;
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

-- Takes at most the given number of notes into the outbox, and returns how many it met, including those taken before. One
-- node at a time, which keeps the order of a session's events. The coordinator remembers them, and they are deleted by a
-- transaction of its own: no commit of several machines is needed.
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
