-- Marks a message read or unread, with an event in the log (mail-store.ts, setRead). Returns false if the session is
-- not live or has no such message.
CREATE FUNCTION mayfly.set_read(p_now bigint, p_key bytea, p_seq integer, p_is_read boolean, p_outbox integer)
RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '5s' AS $$
DECLARE
  v_now bigint := mayfly.now_ms(p_now);
  live mayfly.sessions := mayfly.take_live(p_key, v_now, p_outbox);
  v_kind text := CASE WHEN p_is_read THEN 'message.read' ELSE 'message.unread' END;
BEGIN
  IF live.key IS NULL THEN
    RETURN false;
  END IF;
  PERFORM 1 FROM mayfly.messages WHERE bucket = live.bucket AND session_key = p_key AND seq = p_seq;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF p_is_read THEN
    INSERT INTO mayfly.notes (bucket, session_key, seq, is_read) VALUES (live.bucket, p_key, p_seq, true)
    ON CONFLICT (bucket, session_key, seq) DO UPDATE SET is_read = true WHERE NOT notes.is_read;
  ELSE
    UPDATE mayfly.notes SET is_read = false
    WHERE bucket = live.bucket AND session_key = p_key AND seq = p_seq AND is_read;
  END IF;
  IF FOUND THEN
    UPDATE mayfly.sessions SET seq = seq + 1, version = version + 1 WHERE key = p_key;
    INSERT INTO mayfly.events (bucket, session_key, seq, kind, at, message_seq)
    VALUES (live.bucket, p_key, live.seq + 1, v_kind, v_now, p_seq);
    PERFORM mayfly.queue_events(v_kind, ARRAY[p_key], ARRAY[live.seq + 1], ARRAY[p_seq], ARRAY[v_now], p_outbox);
  END IF;
  RETURN true;
END $$;
