-- Gives a live session another address: `renamed`, `taken`, `alias` or `ended`. A retry after a lost answer changes
-- nothing. The old address is quarantined for at least a minute, whatever its setting: other nodes cache its holder
-- for less than that, and the next holder must not lose mail to the last one.
CREATE FUNCTION mayfly.rename_session(
  p_now bigint, p_key bytea, p_address bytea, p_address_key bytea, p_quarantine_ms bigint, p_outbox integer
) RETURNS text LANGUAGE plpgsql SET lock_timeout = '5s' SET enable_seqscan = off AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  v_holder_key bytea := (SELECT session_key FROM mayfly.addresses WHERE address_key = p_address_key AND free_at IS NULL);
  holder mayfly.sessions;
  live mayfly.sessions;
BEGIN
  IF v_holder_key <> p_key THEN
    PERFORM 1 FROM mayfly.sessions WHERE key IN (p_key, v_holder_key) ORDER BY key FOR UPDATE;
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
    WHERE addresses.free_at <= v_now OR addresses.session_key = p_key;
  IF NOT FOUND THEN
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
