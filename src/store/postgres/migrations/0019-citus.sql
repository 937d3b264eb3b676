-- Additions for schemas distributed by Citus (citus/distribute.ts). Without Citus the new tables stay empty.
-- Compatible with older programs.
-- needs: 18

-- Without a primary key its rows could not be distinguished when a shard moves under load.
ALTER TABLE mayfly.destroyed_keys REPLICA IDENTITY FULL;
ALTER TABLE mayfly.destroyed_keys_0 REPLICA IDENTITY FULL;
ALTER TABLE mayfly.destroyed_keys_1 REPLICA IDENTITY FULL;

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
-- Sessions with an endpoint of their own, on their shard: without an operator's endpoint only their events are noted.
CREATE TABLE mayfly.webhook_sessions (session_key bytea PRIMARY KEY);

-- The progress of the distribution; empty without one.
CREATE TABLE mayfly.distribution (
  step text PRIMARY KEY,
  detail text NOT NULL DEFAULT '',
  done_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
