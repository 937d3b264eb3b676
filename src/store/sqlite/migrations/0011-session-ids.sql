-- A session's number is never reused. Other tables refer to it and some of their rows outlive the session: a webhook
-- endpoint of an old session must not receive events of a new one.

CREATE TABLE numbered_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
  key BLOB NOT NULL UNIQUE, -- first 16 bytes of the token's SHA-256
  token_hash BLOB NOT NULL,
  address TEXT NOT NULL,
  address_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  latest_end_at INTEGER NOT NULL,
  quarantine_ms INTEGER NOT NULL,
  key_slot INTEGER, -- null once the data key is destroyed
  account_id INTEGER -- null for an address on a domain
) STRICT;
INSERT INTO numbered_sessions
  SELECT id, key, token_hash, address, address_key, created_at, latest_end_at, quarantine_ms, key_slot, account_id
  FROM sessions ORDER BY id;
-- Also drops its index and its trigger, which are created again below.
DROP TABLE sessions;
ALTER TABLE numbered_sessions RENAME TO sessions;

-- Only live sessions: a session loses its key slot when it ends.
CREATE INDEX sessions_of_account ON sessions (account_id) WHERE account_id IS NOT NULL AND key_slot IS NOT NULL;
CREATE TRIGGER gmail_session_ends AFTER UPDATE OF key_slot ON sessions
WHEN old.account_id IS NOT NULL AND new.key_slot IS NULL BEGIN
  UPDATE gmail_cleanups SET waiting = waiting - 1
    WHERE id IN (SELECT cleanup_id FROM gmail_cleanup_sessions WHERE session_id = old.id);
  DELETE FROM gmail_cleanup_sessions WHERE session_id = old.id;
END;

-- Counting continues after the highest number used anywhere.
DELETE FROM sqlite_sequence WHERE name = 'sessions';
INSERT INTO sqlite_sequence (name, seq) SELECT 'sessions', max(given) FROM (
  SELECT 0 AS given
  UNION ALL SELECT max(id) FROM sessions
  UNION ALL SELECT max(session_id) FROM session_states
  UNION ALL SELECT max(session_id) FROM addresses
  UNION ALL SELECT max(session_id) FROM webhook_endpoints
  UNION ALL SELECT max(session_id) FROM outbox
  UNION ALL SELECT max(session_id) FROM attempts
  UNION ALL SELECT max(session_id) FROM origins
  UNION ALL SELECT max(session_id) FROM gmail_cleanup_sessions
  UNION ALL SELECT max(id) / 4194304 FROM messages
  UNION ALL SELECT max(message_id) / 4194304 FROM notes
  UNION ALL SELECT max(id) / 4194304 FROM events
  UNION ALL SELECT max(message_id) / 4194304 FROM chunks
  UNION ALL SELECT -min(chunks_id) / 4194304 FROM staged
);

-- Endpoints inherited from an earlier session with the same number: one is older than the session if it, or one added
-- after it, last changed before the session began, or if an event was queued for it by then.
DELETE FROM webhook_endpoints WHERE session_id <> 0 AND id IN (
  SELECT e.id
  FROM (
    SELECT id, session_id,
      min(changed_at) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS there_at
    FROM webhook_endpoints WHERE session_id <> 0
  ) e
  LEFT JOIN sessions s ON s.id = e.session_id
  WHERE s.id IS NULL OR e.there_at < s.created_at
    OR EXISTS (SELECT 1 FROM outbox o WHERE o.endpoint_id = e.id AND o.at < s.created_at)
);
DELETE FROM outbox WHERE endpoint_id NOT IN (SELECT id FROM webhook_endpoints)
  OR EXISTS (SELECT 1 FROM sessions s WHERE s.id = outbox.session_id AND outbox.at < s.created_at);

-- Leftovers of sessions that are gone.
DELETE FROM session_states WHERE session_id NOT IN (SELECT id FROM sessions);
DELETE FROM attempts WHERE session_id NOT IN (SELECT id FROM sessions);
DELETE FROM origins WHERE session_id NOT IN (SELECT id FROM sessions);
DELETE FROM notes WHERE message_id / 4194304 NOT IN (SELECT id FROM sessions);
DELETE FROM events WHERE id / 4194304 NOT IN (SELECT id FROM sessions);
INSERT OR IGNORE INTO garbage SELECT id FROM messages WHERE id / 4194304 NOT IN (SELECT id FROM sessions);
INSERT OR IGNORE INTO garbage SELECT chunks_id FROM staged WHERE -chunks_id / 4194304 NOT IN (SELECT id FROM sessions);
DELETE FROM contents WHERE id IN (
  SELECT content_id FROM messages WHERE id / 4194304 NOT IN (SELECT id FROM sessions)
);
DELETE FROM messages WHERE id / 4194304 NOT IN (SELECT id FROM sessions);
DELETE FROM gmail_cleanup_sessions WHERE session_id NOT IN (SELECT id FROM sessions WHERE key_slot IS NOT NULL);
UPDATE gmail_cleanups SET waiting = (SELECT count(*) FROM gmail_cleanup_sessions WHERE cleanup_id = gmail_cleanups.id);
