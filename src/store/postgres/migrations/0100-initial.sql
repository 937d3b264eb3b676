-- The tables as first released; what works on them is in functions/. Numbers below 100 belonged to builds before that,
-- whose databases no release reads.
--
-- Every table that grows with use begins its key with the session's (the first 16 bytes of the token's SHA-256), after
-- the bucket if it is partitioned; the table of addresses with the address. So all rows of a session lie on one shard
-- if the schema is distributed. A bucket is the number of the day by which the session has ended at the latest; it
-- never changes, so nothing ever moves between partitions, and a partition whose day has passed is dropped whole. Text
-- chosen by strangers is bytea: text cannot contain a NUL. Instants are ms since 1970.

-- Which functions are in place (database/put-functions.ts).
CREATE TABLE mayfly.functions (
  id boolean PRIMARY KEY DEFAULT true CHECK (id), -- one row
  digest text NOT NULL,
  version integer NOT NULL -- the newest migration that the program knew whose functions they are
);

CREATE TABLE mayfly.domains (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- never reused
  name text NOT NULL UNIQUE,
  is_active boolean NOT NULL,
  quarantine_ms bigint NOT NULL,
  refuses_dmarc_reject boolean NOT NULL DEFAULT false, -- refuses mail that fails DMARC if its sender's domain asks for that
  discards_unknown boolean NOT NULL DEFAULT false, -- accepts and discards mail for unknown addresses instead of refusing it
  takes_plus_tags boolean NOT NULL DEFAULT true, -- delivers mail for `name+tag@` to the holder of `name@`
  last_mail_at bigint -- written at most once a minute
);

---------- sessions

-- The columns that a delivery changes come first and have a fixed width, so that the rest of the row is not logged
-- again. No index contains any of them, and pages keep free space, so that the update stays on its page.
CREATE TABLE mayfly.sessions (
  version bigint NOT NULL DEFAULT 0, -- grows when a list of messages would look different
  message_bytes bigint NOT NULL DEFAULT 0,
  seq integer NOT NULL DEFAULT 0, -- the last given to a message or an event, which share the sequence
  message_count integer NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  latest_end_at bigint NOT NULL,
  quarantine_ms bigint NOT NULL,
  ended_at bigint, -- set once, with the deletion of the salt
  bucket integer NOT NULL,
  account_id integer, -- of the Gmail account whose alias it is
  is_reclaimed boolean NOT NULL DEFAULT false,
  drops_oldest boolean NOT NULL DEFAULT false, -- a new message that finds no room takes that of the oldest, or is refused
  key bytea PRIMARY KEY CHECK (octet_length(key) = 16),
  token_hash bytea NOT NULL,
  public_key bytea NOT NULL CHECK (octet_length(public_key) = 32), -- what the session's mail is sealed to; only its token opens it
  salt bytea CHECK (octet_length(salt) = 16), -- part of the keys of what is sealed; null once the session has ended
  address bytea NOT NULL,
  address_key bytea NOT NULL,
  password bytea, -- what the session's password opens, sealed
  shares text,
  pushes text, -- push subscriptions, sealed
  sent_keys text -- hashes of the keys of calls that must be carried out once
) WITH (fillfactor = 70);
CREATE INDEX sessions_due ON mayfly.sessions (expires_at) WHERE ended_at IS NULL;
CREATE INDEX sessions_reclaimable ON mayfly.sessions (ended_at) WHERE ended_at IS NOT NULL AND NOT is_reclaimed;
CREATE INDEX sessions_forgettable ON mayfly.sessions (ended_at) WHERE is_reclaimed;
CREATE INDEX sessions_of_account ON mayfly.sessions (account_id) WHERE account_id IS NOT NULL AND ended_at IS NULL;
CREATE INDEX sessions_of_bucket ON mayfly.sessions (bucket) WHERE ended_at IS NULL;

-- The only uniqueness that spans sessions. A row outlives its session by the quarantine.
CREATE TABLE mayfly.addresses (
  address_key bytea PRIMARY KEY,
  session_key bytea NOT NULL,
  free_at bigint, -- null while the session lives
  dots_of integer -- the mailbox of a Gmail account that it is a dot variant of
);
CREATE INDEX addresses_free ON mayfly.addresses (free_at) WHERE free_at IS NOT NULL;
CREATE INDEX addresses_dots_of ON mayfly.addresses (dots_of) WHERE dots_of IS NOT NULL;
-- Operators search live addresses among many more in quarantine.
CREATE INDEX addresses_live ON mayfly.addresses (address_key) WHERE free_at IS NULL;

---------- messages

-- The existing partitions. After `passed_at` the bucket takes no more sessions and is being dropped.
CREATE TABLE mayfly.buckets (
  bucket integer PRIMARY KEY,
  passed_at bigint
);

CREATE TABLE mayfly.messages (
  received_at bigint NOT NULL,
  size_bytes bigint NOT NULL,
  ingest_id bigint NOT NULL, -- random: names the chunks, and tells whether a delivery is there already
  bucket integer NOT NULL,
  seq integer NOT NULL,
  session_key bytea NOT NULL,
  meta bytea NOT NULL,
  PRIMARY KEY (bucket, session_key, seq)
) PARTITION BY LIST (bucket);
ALTER TABLE mayfly.messages ALTER COLUMN meta SET STORAGE EXTERNAL; -- sealed, so it does not compress

-- Sealed raw bytes, in a table of their own, since lists only read the rows of messages. Every message has at least
-- one row, whose key refuses a second copy of the same delivery, however late it arrives.
CREATE TABLE mayfly.chunks (
  ingest_id bigint NOT NULL,
  bucket integer NOT NULL,
  number integer NOT NULL,
  session_key bytea NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (bucket, session_key, ingest_id, number)
) PARTITION BY LIST (bucket);
ALTER TABLE mayfly.chunks ALTER COLUMN data SET STORAGE EXTERNAL;

-- Data about a message found after it was stored. In a table of its own, so that storing it never rewrites the
-- message.
CREATE TABLE mayfly.notes (
  bucket integer NOT NULL,
  seq integer NOT NULL,
  is_read boolean NOT NULL DEFAULT false,
  session_key bytea NOT NULL,
  glance bytea, -- sealed
  authentication bytea, -- the results of the checks of the message's origin, sealed
  PRIMARY KEY (bucket, session_key, seq)
) PARTITION BY LIST (bucket);
ALTER TABLE mayfly.notes
  ALTER COLUMN glance SET STORAGE EXTERNAL, ALTER COLUMN authentication SET STORAGE EXTERNAL;

-- Entries of the logs other than message.received, which is the message's own row.
CREATE TABLE mayfly.events (
  at bigint NOT NULL,
  bucket integer NOT NULL,
  seq integer NOT NULL,
  message_seq integer,
  session_key bytea NOT NULL,
  kind text NOT NULL,
  PRIMARY KEY (bucket, session_key, seq)
) PARTITION BY LIST (bucket);

-- Delivery attempts that cannot be derived from the messages. Sealed, and at most 50 per session.
CREATE SEQUENCE mayfly.attempt_numbers;
CREATE TABLE mayfly.attempts (
  at bigint NOT NULL,
  number bigint NOT NULL, -- tells those of one instant apart
  bucket integer NOT NULL,
  session_key bytea NOT NULL,
  sealed bytea NOT NULL,
  PRIMARY KEY (bucket, session_key, at, number)
) PARTITION BY LIST (bucket);
ALTER TABLE mayfly.attempts ALTER COLUMN sealed SET STORAGE EXTERNAL;

-- The origins of messages that must not be delivered to their session twice.
CREATE TABLE mayfly.origins (
  bucket integer NOT NULL,
  session_key bytea NOT NULL,
  origin bytea NOT NULL,
  PRIMARY KEY (bucket, session_key, origin)
) PARTITION BY LIST (bucket);

-- Deleted messages with many chunks, awaiting reclaim.
CREATE TABLE mayfly.garbage (
  session_key bytea NOT NULL,
  bucket integer NOT NULL,
  ingest_id bigint NOT NULL,
  PRIMARY KEY (session_key, bucket, ingest_id)
);

---------- webhooks

CREATE TABLE mayfly.webhook_endpoints (
  id bigint GENERATED BY DEFAULT AS IDENTITY (START WITH 2) PRIMARY KEY, -- never reused; 1 is the operator's
  changed_at bigint NOT NULL,
  -- The time of the next try, so that a look-up meets an endpoint only once however many events are queued: never later
  -- than that of any of its rows; null while there is none.
  due_at bigint,
  served_at bigint NOT NULL DEFAULT 0, -- an endpoint that was served goes to the end
  rests_until bigint NOT NULL DEFAULT 0,
  queued bigint NOT NULL DEFAULT 0, -- rows in the outbox, dead ones apart; the operator's are counted below
  state text NOT NULL CHECK (state IN ('pending', 'active', 'closed')),
  session_key bytea NOT NULL, -- empty for the operator's own, which get every session's
  sealed bytea, -- URL and secret; null for the operator's, whose settings have them
  host_tag bytea, -- by which endpoints on one host are counted
  maker_tag bytea, -- by which endpoints made from one network are counted
  last_error text -- of the last try; null when it went well
);
CREATE INDEX webhook_endpoints_session ON mayfly.webhook_endpoints (session_key);
CREATE INDEX webhook_endpoints_host ON mayfly.webhook_endpoints (host_tag) WHERE host_tag IS NOT NULL;
CREATE INDEX webhook_endpoints_due ON mayfly.webhook_endpoints (state, (last_error IS NOT NULL), due_at)
  WHERE due_at IS NOT NULL;
-- The operator's. Its state says nothing: it takes events if its URL is set.
INSERT INTO mayfly.webhook_endpoints (id, session_key, state, changed_at) VALUES (1, '', 'closed', 0);

-- Every delivery writes to the operator's queue, so a single counter would make them wait for each other.
CREATE TABLE mayfly.operator_queue (
  slot integer PRIMARY KEY,
  queued bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
INSERT INTO mayfly.operator_queue (slot) SELECT generate_series(0, 31);

CREATE TABLE mayfly.outbox (
  id bigint GENERATED ALWAYS AS IDENTITY,
  endpoint_id bigint NOT NULL,
  at bigint NOT NULL, -- of the event
  queued_at bigint NOT NULL,
  next_at bigint, -- when to try; the end of the lease while a worker has it; null while held back or dead
  dead_at bigint,
  lease bigint NOT NULL DEFAULT 0, -- grows with each lease: an older holder can no longer change the row
  seq integer NOT NULL, -- of the event; 0 for the challenge
  message_seq integer,
  attempts integer NOT NULL DEFAULT 0,
  session_key bytea NOT NULL,
  kind text NOT NULL,
  reason text,
  PRIMARY KEY (session_key, id)
);
CREATE INDEX outbox_id ON mayfly.outbox (id);
CREATE INDEX outbox_next ON mayfly.outbox (endpoint_id, next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX outbox_held ON mayfly.outbox (endpoint_id) WHERE next_at IS NULL AND dead_at IS NULL;
CREATE INDEX outbox_dead ON mayfly.outbox (dead_at) WHERE dead_at IS NOT NULL;
CREATE INDEX outbox_old ON mayfly.outbox (queued_at) WHERE dead_at IS NULL;
CREATE INDEX outbox_endpoint ON mayfly.outbox (endpoint_id);
CREATE INDEX outbox_extended ON mayfly.outbox (session_key) WHERE kind = 'session.extended' AND dead_at IS NULL;

-- The counts and due times of endpoints. A trigger needs its function, whose body is in functions/webhooks.sql.
CREATE FUNCTION mayfly.outbox_filled() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE FUNCTION mayfly.outbox_emptied() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE FUNCTION mayfly.outbox_changed() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER outbox_filled AFTER INSERT ON mayfly.outbox
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION mayfly.outbox_filled();
CREATE TRIGGER outbox_emptied AFTER DELETE ON mayfly.outbox
REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION mayfly.outbox_emptied();
CREATE TRIGGER outbox_changed AFTER UPDATE ON mayfly.outbox
REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION mayfly.outbox_changed();

-- What the event of a new message says of it, sealed under the server's key while the mail was in hand, since nothing
-- stored can be opened for it later. It goes with its row, its message and its session (functions/webhooks.sql).
CREATE TABLE mayfly.outbox_contents (
  outbox_id bigint PRIMARY KEY,
  message_seq integer NOT NULL,
  session_key bytea NOT NULL,
  content bytea NOT NULL
);
CREATE INDEX outbox_contents_message ON mayfly.outbox_contents (session_key, message_seq);

-- Events not sent to endpoints, until reported. Rows rather than sums, so that no writer waits for another.
CREATE TABLE mayfly.outbox_overflow (
  endpoint_id bigint NOT NULL,
  events bigint NOT NULL
);

-- Sessions with an endpoint of their own, on their shard.
CREATE TABLE mayfly.webhook_sessions (session_key bytea PRIMARY KEY);

---------- the operator's mailbox: mail to postmaster and abuse, not sealed, bounded

CREATE TABLE mayfly.operator_mailbox (
  id boolean PRIMARY KEY DEFAULT true CHECK (id), -- one row
  messages bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0
);
INSERT INTO mayfly.operator_mailbox DEFAULT VALUES;

CREATE TABLE mayfly.operator_messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  received_at bigint NOT NULL,
  size_bytes bigint NOT NULL,
  is_read boolean NOT NULL DEFAULT false
);

CREATE TABLE mayfly.operator_chunks (
  message_id bigint NOT NULL,
  number integer NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (message_id, number)
);

---------- Gmail accounts: settings, the poller's state, and their relation to sessions

-- An account's address, kept for ever: variants in quarantine, and the counter, outlive the account's removal.
CREATE TABLE mayfly.gmail_mailboxes (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL UNIQUE,
  next_alias integer NOT NULL DEFAULT 0
);

CREATE TABLE mayfly.gmail_accounts (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- never reused
  mailbox_id integer NOT NULL UNIQUE,
  email text NOT NULL UNIQUE,
  host text NOT NULL,
  port integer NOT NULL,
  security text NOT NULL,
  login text NOT NULL,
  auth text NOT NULL,
  sealed_credentials bytea NOT NULL,
  inbox_folder text,
  spam_folder text,
  is_active boolean NOT NULL DEFAULT true,
  health text NOT NULL DEFAULT 'new',
  detail text NOT NULL DEFAULT '',
  health_at bigint NOT NULL,
  unmatched bigint NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 1,
  usage_day integer NOT NULL DEFAULT 0, -- whole days since 1970, UTC
  usage_bytes bigint NOT NULL DEFAULT 0 -- of that day
);

-- How far each folder has been read.
CREATE TABLE mayfly.gmail_cursors (
  account_id integer NOT NULL,
  folder bytea NOT NULL,
  uid_validity bigint NOT NULL,
  last_uid bigint NOT NULL,
  PRIMARY KEY (account_id, folder)
);

-- Messages in an account that await an action once their sessions have ended.
CREATE TABLE mayfly.gmail_cleanups (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer NOT NULL,
  folder bytea NOT NULL,
  uid_validity bigint NOT NULL,
  uid bigint NOT NULL,
  message_tag bytea NOT NULL, -- strangers choose it
  UNIQUE (account_id, folder, uid_validity, uid)
);

CREATE TABLE mayfly.gmail_cleanup_sessions (
  cleanup_id bigint NOT NULL,
  session_key bytea NOT NULL,
  PRIMARY KEY (cleanup_id, session_key)
);

---------- operating

-- Each the right of one node to do a job.
CREATE TABLE mayfly.leases (
  name text PRIMARY KEY,
  holder text NOT NULL, -- empty when it was released
  epoch bigint NOT NULL, -- grows with every new holder
  until bigint NOT NULL
);

-- Small records of the service as a whole, such as its certificate, sealed under server.key.
CREATE TABLE mayfly.records (
  name text COLLATE "C" PRIMARY KEY,
  sealed bytea NOT NULL,
  changed_at bigint NOT NULL
);

-- Of keys in files that every node must have, such as `server.key`; they reveal nothing of them.
CREATE TABLE mayfly.key_fingerprints (
  name text PRIMARY KEY,
  fingerprint bytea NOT NULL
);

CREATE TABLE mayfly.api_keys (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- never reused
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('caller', 'admin')),
  scopes text NOT NULL, -- comma separated
  key_hash bytea NOT NULL UNIQUE, -- SHA-256; the key itself is nowhere
  rate_per_minute integer, -- null for the usual one
  created_at bigint NOT NULL,
  revoked_at bigint, -- set once
  uses bigint NOT NULL DEFAULT 0,
  last_used_at bigint
);
CREATE UNIQUE INDEX api_keys_name ON mayfly.api_keys (name) WHERE revoked_at IS NULL;

-- With each, the administrator of an admin key signs in too.
CREATE TABLE mayfly.passkeys (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- never reused
  key_id integer NOT NULL,
  name text NOT NULL,
  credential_id bytea NOT NULL UNIQUE,
  public_key bytea NOT NULL, -- COSE; the private one never leaves the authenticator
  counter bigint NOT NULL, -- of signatures
  transports text NOT NULL, -- comma separated
  created_at bigint NOT NULL,
  last_used_at bigint,
  UNIQUE (key_id, name)
);

-- SHA-256 of challenges for passkeys that were used, for as long as they would be valid.
CREATE TABLE mayfly.spent_challenges (
  hash bytea PRIMARY KEY,
  ends_at bigint NOT NULL
);

-- Where other services hand over mail by HTTP.
CREATE TABLE mayfly.inbound_routes (
  name text COLLATE "C" PRIMARY KEY,
  provider text NOT NULL,
  trusts text, -- whose Authentication-Results are believed
  sealed bytea NOT NULL, -- what requests are checked with, under server.key
  created_at bigint NOT NULL
);

-- What requests have proved themselves by, for as long as it could be used again.
CREATE TABLE mayfly.inbound_proofs (
  route text COLLATE "C" NOT NULL,
  id bytea NOT NULL,
  binds bytea NOT NULL, -- what it may be used for
  uses bigint NOT NULL,
  is_done boolean NOT NULL, -- its message is stored
  ends_at bigint NOT NULL,
  PRIMARY KEY (route, id)
);
CREATE INDEX inbound_proofs_ends ON mayfly.inbound_proofs (ends_at);

-- Counts for the operator, by hour for 30 days and by day for a year; no address is among the names.
CREATE TABLE mayfly.statistics (
  span text NOT NULL CHECK (span IN ('hour', 'day')),
  at bigint NOT NULL, -- its beginning
  name text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (span, at, name)
);

-- What operators did, bounded by age and number. No secret is in it.
CREATE TABLE mayfly.audit (
  id text COLLATE "C" PRIMARY KEY, -- random
  at bigint NOT NULL,
  actor_kind text NOT NULL,
  actor text NOT NULL, -- the name of a key or passkey, or of a user of the machine
  action text NOT NULL,
  target text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('begun', 'done', 'refused', 'failed')),
  detail text NOT NULL
);
CREATE INDEX audit_at ON mayfly.audit (at);

-- The processes that share this database, each noted anew every few seconds.
CREATE TABLE mayfly.nodes (
  run text COLLATE "C" PRIMARY KEY, -- random, of one run of one process
  place text COLLATE "C" NOT NULL, -- the same when it starts again
  host text NOT NULL,
  version text NOT NULL,
  roles text NOT NULL, -- comma separated
  started_at bigint NOT NULL,
  seen_at bigint NOT NULL
);

-- Refused before a recipient was accepted, for the operator: by hour and network, for a week. Bounded by the service.
CREATE TABLE mayfly.refusals (
  at bigint NOT NULL, -- the beginning of the hour
  network text COLLATE "C" NOT NULL, -- '*' for all beyond the bound
  stage text COLLATE "C" NOT NULL,
  cause text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  last_at bigint NOT NULL,
  host text, -- these three of the latest
  helo text NOT NULL,
  sender text, -- its domain alone
  PRIMARY KEY (at, network, stage, cause)
);

CREATE TABLE mayfly.blocks (
  kind text NOT NULL CHECK (kind IN ('sender', 'prefix', 'network')),
  value text COLLATE "C" NOT NULL, -- in its one spelling
  note text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (kind, value)
);

-- The progress of copying a SQLite store (`mayfly copy`). No node serves the database before it is finished.
CREATE TABLE mayfly.copies (
  id boolean PRIMARY KEY DEFAULT true CHECK (id), -- one at most
  source text NOT NULL, -- fingerprint of what is copied
  began_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
CREATE TABLE mayfly.copy_steps (
  step text PRIMARY KEY,
  rows bigint NOT NULL,
  cursor text NOT NULL -- the key of the last row
);

---------- schemas distributed by Citus (citus/distribute.ts); these stay empty without it

-- Events to be sent to webhooks, on the shard of their session, until they are moved to the outbox.
CREATE TABLE mayfly.outbox_news (
  session_key bytea NOT NULL,
  id bigint NOT NULL, -- random
  at bigint NOT NULL,
  seq integer NOT NULL,
  message_seq integer,
  outbox integer NOT NULL, -- as queue_events takes it
  kind text NOT NULL,
  PRIMARY KEY (session_key, id)
);

-- Events moved that may still exist, on the coordinator, so that each is sent once even after a crash in between.
CREATE TABLE mayfly.outbox_taken (
  session_key bytea NOT NULL,
  id bigint NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (session_key, id)
);

-- The progress of the distribution; empty without one.
CREATE TABLE mayfly.distribution (
  step text PRIMARY KEY,
  detail text NOT NULL DEFAULT '',
  done_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

---------- statistics

-- They would keep copies of values, such as addresses and keys, after the rows are gone. So there are none about columns of
-- bytes, nor about texts that may name someone. Plans need none: those columns are looked up by unique indexes.
DO $$
DECLARE
  v_column record;
BEGIN
  FOR v_column IN
    SELECT a.attrelid::regclass AS name, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'mayfly'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND (
      a.atttypid = 'bytea'::regtype
      OR a.attname IN ('shares', 'pushes', 'sent_keys', 'email', 'login', 'value', 'note', 'reason', 'last_error', 'cursor',
        'target', 'detail', 'network', 'host', 'helo', 'sender')
    )
  LOOP
    EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 0', v_column.name, v_column.attname);
  END LOOP;
END $$;
