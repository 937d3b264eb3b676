-- The schema as first released. Numbers below 100 belonged to builds before that, whose stores no release reads.
--
-- One file serves one machine. Times are milliseconds since 1970. Ids that say "never reused" are named by rows that may
-- outlive theirs: what was left of an old session must not belong to a new one.

CREATE TABLE domains (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
  name TEXT NOT NULL UNIQUE,
  is_active INTEGER NOT NULL,
  quarantine_ms INTEGER NOT NULL,
  refuses_dmarc_reject INTEGER NOT NULL DEFAULT 0, -- refuses mail that fails DMARC if its sender's domain asks for that
  discards_unknown INTEGER NOT NULL DEFAULT 0, -- accepts and discards mail for unknown addresses instead of refusing it
  takes_plus_tags INTEGER NOT NULL DEFAULT 1, -- delivers mail for `name+tag@` to the holder of `name@`
  last_mail_at INTEGER -- written at most once a minute
) STRICT;

---------- sessions

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
  key BLOB NOT NULL UNIQUE, -- first 16 bytes of the token's SHA-256
  token_hash BLOB NOT NULL,
  address TEXT NOT NULL,
  address_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  latest_end_at INTEGER NOT NULL,
  quarantine_ms INTEGER NOT NULL,
  public_key BLOB NOT NULL, -- what the session's mail is sealed to; only its token opens it
  salt BLOB, -- part of the keys of what is sealed; null once the session has ended
  account_id INTEGER, -- of Gmail; null for an address on a domain
  drops_oldest INTEGER NOT NULL DEFAULT 0, -- a new message that finds no room takes that of the oldest, or is refused
  password BLOB, -- what the session's password opens, sealed
  shares TEXT,
  pushes TEXT, -- push subscriptions, sealed
  sent_keys TEXT -- hashes of the keys of calls that must be carried out once
) STRICT;
-- Only live sessions: a session loses its salt when it ends.
CREATE INDEX sessions_of_account ON sessions (account_id) WHERE account_id IS NOT NULL AND salt IS NOT NULL;

-- The columns that each delivery changes, in a small table: a hundred sessions share a page, so a group commit writes
-- few.
CREATE TABLE session_states (
  session_id INTEGER PRIMARY KEY,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER, -- set once, with the deletion of the salt
  is_reclaimed INTEGER NOT NULL DEFAULT 0,
  seq INTEGER NOT NULL DEFAULT 0, -- the last given to a message or an event, which share the sequence
  version INTEGER NOT NULL DEFAULT 0, -- grows when a list of messages would look different
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
  free_at INTEGER, -- null while the session lives
  dots_of INTEGER -- the Gmail mailbox that it is a dot variant of
) STRICT, WITHOUT ROWID;
CREATE INDEX addresses_free ON addresses (free_at) WHERE free_at IS NOT NULL;
CREATE INDEX addresses_dots_of ON addresses (dots_of) WHERE dots_of IS NOT NULL;
-- Operators search live addresses among many more in quarantine.
CREATE INDEX addresses_live ON addresses (address_key) WHERE free_at IS NULL;

---------- messages

-- A message's id is its session's times 2^22 plus its seq, so that a session's rows lie together and need no index of
-- their own (rows/message-row-id.ts). Its content is stored in the order of arrival, apart from this row: a group commit
-- writes one stretch of the file for all its messages, and small rows for their sessions.
CREATE TABLE messages (
  id INTEGER PRIMARY KEY,
  received_at INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  content_id INTEGER NOT NULL
) STRICT;

CREATE TABLE contents (
  id INTEGER PRIMARY KEY, -- the next one after the last
  meta BLOB NOT NULL,
  raw BLOB NOT NULL -- sealed first chunk
) STRICT;

-- Sealed chunks after the first, by row number. Without one the key would precede the data in a tree that is searched by
-- whole entries, so that finding a chunk would mean reading a dozen others of 256 KiB each.
CREATE TABLE chunks (
  message_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  data BLOB NOT NULL,
  UNIQUE (message_id, number)
) STRICT;

-- Large messages are written in several commits, so that none of them takes long. Their chunks after the first are
-- stored under an id of their own, and belong to no message until the last commit assigns them; without it they are
-- garbage.
CREATE TABLE staged (
  chunks_id INTEGER PRIMARY KEY, -- stands for message_id in chunks and garbage; as there, but below 0
  message_id INTEGER UNIQUE -- null before that commit, and once the message is deleted
) STRICT;

-- Deleted messages whose chunks wait for reclaim.
CREATE TABLE garbage (
  message_id INTEGER PRIMARY KEY
) STRICT;

-- Data about a message found after it was stored. In a table of its own, so that storing it never rewrites the raw
-- bytes.
CREATE TABLE notes (
  message_id INTEGER PRIMARY KEY,
  is_read INTEGER NOT NULL DEFAULT 0,
  glance BLOB, -- sealed
  authentication BLOB -- the results of the checks of the message's origin, sealed
) STRICT;

-- Entries of the logs other than message.received, which is the message's own row.
CREATE TABLE events (
  id INTEGER PRIMARY KEY, -- as in messages
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  message_seq INTEGER
) STRICT;

-- Entries of a session's delivery log that cannot be derived from its messages: refused attempts, and accepted ones
-- whose message has been deleted. Sealed, and at most 50 per session.
CREATE TABLE attempts (
  session_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  number INTEGER NOT NULL, -- tells those of one instant apart
  sealed BLOB NOT NULL,
  PRIMARY KEY (session_id, at, number)
) STRICT, WITHOUT ROWID;

---------- webhooks

CREATE TABLE webhook_endpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
  session_id INTEGER NOT NULL, -- 0: the operator's own, which get every session's
  sealed BLOB, -- URL and secret; null for the operator's, whose settings have them
  host_tag BLOB, -- by which endpoints on one host are counted
  maker_tag BLOB, -- by which endpoints made from one network are counted
  state TEXT NOT NULL CHECK (state IN ('pending', 'active', 'closed')),
  queued INTEGER NOT NULL DEFAULT 0, -- rows in the outbox that are to be sent
  dead INTEGER NOT NULL DEFAULT 0, -- those that were given up
  -- The time of the next try, so that a look-up meets an endpoint only once however many events are queued: never later
  -- than that of any of its rows; null while there is none.
  due_at INTEGER,
  served_at INTEGER NOT NULL DEFAULT 0, -- whoever was served goes to the end
  rests_until INTEGER NOT NULL DEFAULT 0,
  last_error TEXT, -- of the last try; null when it went well
  changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_endpoints_session ON webhook_endpoints (session_id);
CREATE INDEX webhook_endpoints_host ON webhook_endpoints (host_tag) WHERE host_tag IS NOT NULL;
CREATE INDEX webhook_endpoints_due ON webhook_endpoints (state, (last_error IS NOT NULL), due_at)
  WHERE due_at IS NOT NULL;
-- The operator's. Its state does not follow the settings.
INSERT INTO webhook_endpoints (id, session_id, state, changed_at) VALUES (1, 0, 'active', 0);

-- Rows are written in the commit of their event, by triggers that exist only on connections with webhooks on
-- (rows/outbox-triggers.ts). They outlive the session.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
  endpoint_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  session_key BLOB NOT NULL,
  seq INTEGER NOT NULL, -- of the event; 0 for the challenge
  kind TEXT NOT NULL,
  message_seq INTEGER,
  at INTEGER NOT NULL, -- of the event
  queued_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER, -- when to try; the end of the lease while a worker has it; null while held back or dead
  lease INTEGER NOT NULL DEFAULT 0, -- grows with each lease: an older holder can no longer change the row
  dead_at INTEGER,
  reason TEXT
) STRICT;
CREATE INDEX outbox_next ON outbox (endpoint_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX outbox_dead ON outbox (dead_at) WHERE dead_at IS NOT NULL;
CREATE INDEX outbox_old ON outbox (queued_at) WHERE dead_at IS NULL;
CREATE INDEX outbox_endpoint ON outbox (endpoint_id);
CREATE INDEX outbox_extended ON outbox (session_id) WHERE kind = 'session.extended' AND dead_at IS NULL;

CREATE TRIGGER outbox_counts_in AFTER INSERT ON outbox BEGIN
  UPDATE webhook_endpoints SET
    queued = queued + (new.dead_at IS NULL),
    dead = dead + (new.dead_at IS NOT NULL),
    due_at = CASE WHEN new.next_at IS NULL THEN due_at
      ELSE min(coalesce(due_at, 9007199254740991), max(new.next_at, rests_until, served_at)) END
  WHERE id = new.endpoint_id;
END;
CREATE TRIGGER outbox_counts_out AFTER DELETE ON outbox BEGIN
  UPDATE webhook_endpoints SET
    queued = queued - (old.dead_at IS NULL),
    dead = dead - (old.dead_at IS NOT NULL)
  WHERE id = old.endpoint_id;
END;
CREATE TRIGGER outbox_counts_deaths AFTER UPDATE OF dead_at ON outbox
WHEN (old.dead_at IS NULL) <> (new.dead_at IS NULL) BEGIN
  UPDATE webhook_endpoints SET
    queued = queued + (new.dead_at IS NULL) - (old.dead_at IS NULL),
    dead = dead + (old.dead_at IS NULL) - (new.dead_at IS NULL)
  WHERE id = new.endpoint_id;
END;

-- What the event of a new message says of it, sealed under the server's key while the mail was in hand, since nothing
-- stored can be opened for it later. It goes with its row, its message and its session.
CREATE TABLE outbox_contents (
  outbox_id INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL,
  message_seq INTEGER NOT NULL,
  content BLOB NOT NULL
) STRICT;
CREATE INDEX outbox_contents_message ON outbox_contents (session_id, message_seq);
CREATE INDEX outbox_message ON outbox (session_id, message_seq) WHERE kind = 'message.received';

CREATE TRIGGER outbox_contents_out AFTER DELETE ON outbox BEGIN
  DELETE FROM outbox_contents WHERE outbox_id = old.id;
END;
CREATE TRIGGER outbox_contents_given_up AFTER UPDATE OF dead_at ON outbox WHEN new.dead_at IS NOT NULL BEGIN
  DELETE FROM outbox_contents WHERE outbox_id = new.id;
END;
CREATE TRIGGER outbox_contents_of_deleted AFTER INSERT ON events
WHEN new.kind IN ('message.deleted', 'message.dropped') BEGIN
  DELETE FROM outbox_contents WHERE session_id = new.id / 4194304 AND message_seq = new.message_seq;
END;
CREATE TRIGGER outbox_contents_of_ended AFTER UPDATE OF ended_at ON session_states WHEN new.ended_at IS NOT NULL BEGIN
  DELETE FROM outbox_contents WHERE session_id = new.session_id;
END;

---------- Gmail accounts: settings, the poller's state, and their relation to sessions and addresses

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

-- How far each folder has been read.
CREATE TABLE gmail_cursors (
  account_id INTEGER NOT NULL,
  folder TEXT NOT NULL,
  uid_validity INTEGER NOT NULL,
  last_uid INTEGER NOT NULL,
  PRIMARY KEY (account_id, folder)
) STRICT, WITHOUT ROWID;

-- The origins of a session's fetched messages, so that none is delivered twice.
CREATE TABLE origins (
  session_id INTEGER NOT NULL,
  origin BLOB NOT NULL,
  PRIMARY KEY (session_id, origin)
) STRICT, WITHOUT ROWID;

-- Messages in an account that await an action once their sessions have ended.
CREATE TABLE gmail_cleanups (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
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

CREATE TRIGGER gmail_session_ends AFTER UPDATE OF salt ON sessions
WHEN old.account_id IS NOT NULL AND new.salt IS NULL BEGIN
  UPDATE gmail_cleanups SET waiting = waiting - 1
    WHERE id IN (SELECT cleanup_id FROM gmail_cleanup_sessions WHERE session_id = old.id);
  DELETE FROM gmail_cleanup_sessions WHERE session_id = old.id;
END;

---------- operating

-- Each the right of one node to do a job.
CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL, -- empty when it was released
  epoch INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Small records of the service as a whole, such as its certificate, sealed under server.key.
CREATE TABLE records (
  name TEXT PRIMARY KEY,
  sealed BLOB NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Of keys in files that every process with this store must have, such as `server.key`; they reveal nothing of them.
CREATE TABLE key_fingerprints (
  name TEXT PRIMARY KEY,
  fingerprint BLOB NOT NULL
) STRICT, WITHOUT ROWID;

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

-- With each, the administrator of an admin key signs in too.
CREATE TABLE passkeys (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
  key_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  credential_id BLOB NOT NULL UNIQUE,
  public_key BLOB NOT NULL, -- COSE; the private one never leaves the authenticator
  counter INTEGER NOT NULL, -- of signatures
  transports TEXT NOT NULL, -- comma separated
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  UNIQUE (key_id, name)
) STRICT;

-- SHA-256 of challenges for passkeys that were used, for as long as they would be valid.
CREATE TABLE spent_challenges (
  hash BLOB PRIMARY KEY,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Where other services hand over mail by HTTP.
CREATE TABLE inbound_routes (
  name TEXT PRIMARY KEY,
  provider TEXT NOT NULL,
  trusts TEXT, -- whose Authentication-Results are believed
  sealed BLOB NOT NULL, -- what requests are checked with, under server.key
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What requests have proved themselves by, for as long as it could be used again.
CREATE TABLE inbound_proofs (
  route TEXT NOT NULL,
  id BLOB NOT NULL,
  binds BLOB NOT NULL, -- what it may be used for
  uses INTEGER NOT NULL,
  is_done INTEGER NOT NULL, -- its message is stored
  ends_at INTEGER NOT NULL,
  PRIMARY KEY (route, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX inbound_proofs_ends ON inbound_proofs (ends_at);

-- Counts for the operator, by hour for 30 days and by day for a year; no address is among the names.
CREATE TABLE statistics (
  span TEXT NOT NULL CHECK (span IN ('hour', 'day')),
  at INTEGER NOT NULL, -- its beginning
  name TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (span, at, name)
) STRICT, WITHOUT ROWID;

-- What operators did, bounded by age and number. No secret is in it.
CREATE TABLE audit (
  id TEXT PRIMARY KEY, -- random
  at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor TEXT NOT NULL, -- the name of a key or passkey, or of a user of the machine
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('begun', 'done', 'refused', 'failed')),
  detail TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_at ON audit (at);

-- Refused before a recipient was accepted, for the operator: by hour and network, for a week. Bounded by the service.
CREATE TABLE refusals (
  at INTEGER NOT NULL, -- the beginning of the hour
  network TEXT NOT NULL, -- '*' for all beyond the bound
  stage TEXT NOT NULL,
  cause TEXT NOT NULL,
  count INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  host TEXT, -- these three of the latest
  helo TEXT NOT NULL,
  sender TEXT, -- its domain alone
  PRIMARY KEY (at, network, stage, cause)
) STRICT, WITHOUT ROWID;

CREATE TABLE blocks (
  kind TEXT NOT NULL CHECK (kind IN ('sender', 'prefix', 'network')),
  value TEXT NOT NULL, -- in its one spelling
  note TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;
