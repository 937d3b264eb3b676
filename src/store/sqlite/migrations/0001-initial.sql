-- One file serves one machine. Messages and events of a session share one sequence; a message's row id is the
-- session's id times 2^22 plus its seq, so that a session's rows lie together and need no index of their own.

CREATE TABLE domains (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
  name TEXT NOT NULL UNIQUE,
  is_active INTEGER NOT NULL,
  quarantine_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE, -- first 16 bytes of the token's SHA-256
  token_hash BLOB NOT NULL,
  address TEXT NOT NULL,
  address_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  latest_end_at INTEGER NOT NULL,
  quarantine_ms INTEGER NOT NULL,
  key_slot INTEGER -- null once the data key is destroyed
) STRICT;

-- The columns that each delivery changes, in a small table: a hundred sessions share a page, so a group commit writes
-- few.
CREATE TABLE session_states (
  session_id INTEGER PRIMARY KEY,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER, -- set once, with the data key's destruction
  is_reclaimed INTEGER NOT NULL DEFAULT 0,
  seq INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 0,
  message_count INTEGER NOT NULL DEFAULT 0,
  message_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX session_states_due ON session_states (expires_at) WHERE ended_at IS NULL;
CREATE INDEX session_states_reclaimable ON session_states (session_id) WHERE ended_at IS NOT NULL AND is_reclaimed = 0;
CREATE INDEX session_states_forgettable ON session_states (ended_at) WHERE is_reclaimed = 1;

-- The only uniqueness that spans sessions. A row outlives its session by the quarantine.
CREATE TABLE addresses (
  address_key TEXT PRIMARY KEY,
  session_id INTEGER NOT NULL,
  free_at INTEGER -- null while the session lives
) STRICT, WITHOUT ROWID;
CREATE INDEX addresses_free ON addresses (free_at) WHERE free_at IS NOT NULL;

-- AES-256 keys, in slots that are overwritten in place and never deleted, so that a key has no second copy in the file
-- (key-slots.ts). The first ones are created empty, since the table's first page is copied when it overflows.
CREATE TABLE key_slots (
  id INTEGER PRIMARY KEY,
  data_key BLOB NOT NULL -- zeros in a free slot
) STRICT;
CREATE INDEX key_slots_free ON key_slots (id)
  WHERE data_key = x'0000000000000000000000000000000000000000000000000000000000000000';
INSERT INTO key_slots (data_key)
  WITH RECURSIVE slots (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM slots WHERE number < 512)
  SELECT zeroblob(32) FROM slots;

CREATE TABLE messages (
  id INTEGER PRIMARY KEY,
  received_at INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  meta BLOB NOT NULL,
  raw BLOB NOT NULL -- sealed first chunk
) STRICT;

-- Sealed chunks after the first.
CREATE TABLE chunks (
  message_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (message_id, number)
) STRICT, WITHOUT ROWID;

-- Data about a message found after it was stored. In a table of its own, so that storing it never rewrites the raw
-- bytes.
CREATE TABLE notes (
  message_id INTEGER PRIMARY KEY,
  is_read INTEGER NOT NULL DEFAULT 0,
  glance BLOB
) STRICT;

-- Entries of the logs other than message.received, which is the message's own row.
CREATE TABLE events (
  id INTEGER PRIMARY KEY, -- as in messages
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  message_seq INTEGER
) STRICT;

-- Deleted messages whose chunks wait for reclaim.
CREATE TABLE garbage (
  message_id INTEGER PRIMARY KEY
) STRICT;
