-- API keys and block lists.

CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('caller', 'admin')),
  scopes TEXT NOT NULL, -- comma separated
  key_hash BLOB NOT NULL UNIQUE, -- SHA-256; the key itself is nowhere
  rate_per_minute INTEGER, -- null for the usual one
  created_at INTEGER NOT NULL,
  revoked_at INTEGER, -- set once
  uses INTEGER NOT NULL DEFAULT 0,
  last_used_at INTEGER
) STRICT;
CREATE UNIQUE INDEX api_keys_name ON api_keys (name) WHERE revoked_at IS NULL;

CREATE TABLE blocks (
  kind TEXT NOT NULL CHECK (kind IN ('sender', 'prefix', 'network')),
  value TEXT NOT NULL, -- in the one spelling that src/service/block-value.ts makes of it
  note TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;

-- Written at most once a minute.
ALTER TABLE domains ADD COLUMN last_mail_at INTEGER;

-- Operators search live addresses among many more in quarantine.
CREATE INDEX addresses_live ON addresses (address_key) WHERE free_at IS NULL;
