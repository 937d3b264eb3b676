-- Entries of a session's delivery log that cannot be derived from its messages: refused attempts, and accepted ones
-- whose message has been deleted. Sealed, and at most 50 per session.
CREATE TABLE attempts (
  session_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  number INTEGER NOT NULL, -- tells those of one instant apart
  sealed BLOB NOT NULL,
  PRIMARY KEY (session_id, at, number)
) STRICT, WITHOUT ROWID;
