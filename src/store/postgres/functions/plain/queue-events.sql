-- Queues events of one kind for webhooks, in the transaction of the events.
CREATE OR REPLACE FUNCTION mayfly.queue_events(
  p_kind text, p_keys bytea[], p_seqs integer[], p_message_seqs integer[], p_ats bigint[], p_outbox integer
) RETURNS void LANGUAGE plpgsql SET jit = off AS $$
BEGIN
  IF p_outbox > 0 THEN
    PERFORM mayfly.fill_outbox(p_kind, p_keys, p_seqs, p_message_seqs, p_ats, p_outbox);
  END IF;
END $$;
