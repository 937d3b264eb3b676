-- What the schema needs where Citus distributes it (citus/distribute.ts). Without Citus the new tables stay empty. Older
-- programs need not know.
-- needs: 18

-- Without a primary key its rows could not be told apart when a shard moves under load.
ALTER TABLE mayfly.destroyed_keys REPLICA IDENTITY FULL;
ALTER TABLE mayfly.destroyed_keys_0 REPLICA IDENTITY FULL;
ALTER TABLE mayfly.destroyed_keys_1 REPLICA IDENTITY FULL;

-- Events that webhooks are to be told of, on the shard of their session, until they are taken into the outbox.
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
-- Those that were taken and may be there still; on the coordinator. An event is told of once though it dies in between.
CREATE TABLE mayfly.outbox_taken (
  session_key bytea NOT NULL,
  id bigint NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (session_key, id)
);
-- Sessions that have an endpoint of their own, on their shard: only theirs are noted where the operator has none.
CREATE TABLE mayfly.webhook_sessions (session_key bytea PRIMARY KEY);

-- How far the distribution has come; empty without one.
CREATE TABLE mayfly.distribution (
  step text PRIMARY KEY,
  detail text NOT NULL DEFAULT '',
  done_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
