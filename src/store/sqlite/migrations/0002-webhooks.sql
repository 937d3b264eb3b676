-- Webhooks. Outbox rows are written in the commit of their event, by triggers that exist only on connections with
-- webhooks on (sqlite-jobs-store.ts).

CREATE TABLE webhook_endpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
  session_id INTEGER NOT NULL, -- 0: the operator's own, told of every session
  sealed BLOB, -- URL and secret; null for the operator's, whose settings have them
  host_tag BLOB, -- by which endpoints on one host are counted
  state TEXT NOT NULL CHECK (state IN ('pending', 'active', 'closed')),
  queued INTEGER NOT NULL DEFAULT 0, -- rows in the outbox, dead ones included
  changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_endpoints_session ON webhook_endpoints (session_id);
CREATE INDEX webhook_endpoints_host ON webhook_endpoints (host_tag) WHERE host_tag IS NOT NULL;

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  endpoint_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
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
CREATE INDEX outbox_due ON outbox (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX outbox_dead ON outbox (dead_at) WHERE dead_at IS NOT NULL;
CREATE INDEX outbox_old ON outbox (queued_at) WHERE dead_at IS NULL;
CREATE INDEX outbox_endpoint ON outbox (endpoint_id);

CREATE TRIGGER outbox_counts_in AFTER INSERT ON outbox BEGIN
  UPDATE webhook_endpoints SET queued = queued + 1 WHERE id = new.endpoint_id;
END;
CREATE TRIGGER outbox_counts_out AFTER DELETE ON outbox BEGIN
  UPDATE webhook_endpoints SET queued = queued - 1 WHERE id = old.endpoint_id;
END;
