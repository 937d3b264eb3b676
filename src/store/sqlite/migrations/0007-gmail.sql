-- Gmail accounts: the operator's settings, the poller's state, and their relation to sessions and addresses. Also
-- leases, the right of one node to do a job.

CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL, -- empty when it was released
  epoch INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- An account's address, kept for ever: variants in quarantine, and the counter, outlive the account's removal.
CREATE TABLE gmail_mailboxes (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  next_alias INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE gmail_accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
  mailbox_id INTEGER NOT NULL UNIQUE,
  email TEXT NOT NULL UNIQUE,
  host TEXT NOT NULL,
  port INTEGER NOT NULL,
  security TEXT NOT NULL,
  user TEXT NOT NULL,
  auth TEXT NOT NULL,
  sealed_credentials BLOB NOT NULL,
  inbox_folder TEXT,
  spam_folder TEXT,
  is_active INTEGER NOT NULL,
  health TEXT NOT NULL,
  detail TEXT NOT NULL,
  health_at INTEGER NOT NULL,
  unmatched INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL DEFAULT 1,
  usage_day INTEGER NOT NULL DEFAULT 0, -- whole days since 1970, UTC
  usage_bytes INTEGER NOT NULL DEFAULT 0 -- of that day
) STRICT;

CREATE TABLE gmail_cursors (
  account_id INTEGER NOT NULL,
  folder TEXT NOT NULL,
  uid_validity INTEGER NOT NULL,
  last_uid INTEGER NOT NULL,
  PRIMARY KEY (account_id, folder)
) STRICT, WITHOUT ROWID;

-- Messages in an account that await an action once their sessions have ended.
CREATE TABLE gmail_cleanups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
  folder TEXT NOT NULL,
  uid_validity INTEGER NOT NULL,
  uid INTEGER NOT NULL,
  message_tag TEXT NOT NULL,
  waiting INTEGER NOT NULL DEFAULT 0, -- sessions that have not ended
  UNIQUE (account_id, folder, uid_validity, uid)
) STRICT;
CREATE INDEX gmail_cleanups_due ON gmail_cleanups (account_id, id) WHERE waiting = 0;

CREATE TABLE gmail_cleanup_sessions (
  session_id INTEGER NOT NULL,
  cleanup_id INTEGER NOT NULL,
  PRIMARY KEY (session_id, cleanup_id)
) STRICT, WITHOUT ROWID;

ALTER TABLE sessions ADD COLUMN account_id INTEGER; -- null for an address on a domain
-- Only live sessions: a session loses its key slot when it ends.
CREATE INDEX sessions_of_account ON sessions (account_id) WHERE account_id IS NOT NULL AND key_slot IS NOT NULL;

CREATE TRIGGER gmail_session_ends AFTER UPDATE OF key_slot ON sessions
WHEN old.account_id IS NOT NULL AND new.key_slot IS NULL BEGIN
  UPDATE gmail_cleanups SET waiting = waiting - 1
    WHERE id IN (SELECT cleanup_id FROM gmail_cleanup_sessions WHERE session_id = old.id);
  DELETE FROM gmail_cleanup_sessions WHERE session_id = old.id;
END;

ALTER TABLE addresses ADD COLUMN dots_of INTEGER; -- the mailbox that it is a dot variant of
CREATE INDEX addresses_dots_of ON addresses (dots_of) WHERE dots_of IS NOT NULL;

-- The origins of a session's fetched messages, so that none is delivered twice.
CREATE TABLE origins (
  session_id INTEGER NOT NULL,
  origin BLOB NOT NULL,
  PRIMARY KEY (session_id, origin)
) STRICT, WITHOUT ROWID;
