-- The time of each endpoint's next try, so that a look-up meets an endpoint only once however many events are queued;
-- the result of its last try; and dead letters that outlive their session.

ALTER TABLE webhook_endpoints ADD COLUMN maker_tag BLOB; -- by which endpoints made from one network are counted
ALTER TABLE webhook_endpoints ADD COLUMN dead INTEGER NOT NULL DEFAULT 0; -- rows in the outbox that were given up
ALTER TABLE webhook_endpoints ADD COLUMN due_at INTEGER; -- never later than its next try; null while there is none
ALTER TABLE webhook_endpoints ADD COLUMN served_at INTEGER NOT NULL DEFAULT 0; -- whoever was served goes to the end
ALTER TABLE webhook_endpoints ADD COLUMN rests_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhook_endpoints ADD COLUMN last_error TEXT; -- of the last try; null when it went well
-- The operator's `state` used to follow the settings of the last process that opened the file.
INSERT INTO webhook_endpoints (id, session_id, state, changed_at) VALUES (1, 0, 'active', 0)
  ON CONFLICT (id) DO UPDATE SET state = 'active';

ALTER TABLE outbox ADD COLUMN session_key BLOB; -- rows outlive the session
UPDATE outbox SET session_key = (SELECT key FROM sessions WHERE id = outbox.session_id);
DELETE FROM outbox WHERE session_key IS NULL;

DROP INDEX outbox_due;
CREATE INDEX outbox_next ON outbox (endpoint_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX outbox_extended ON outbox (session_id) WHERE kind = 'session.extended' AND dead_at IS NULL;
CREATE INDEX webhook_endpoints_due ON webhook_endpoints (state, (last_error IS NOT NULL), due_at)
  WHERE due_at IS NOT NULL;

UPDATE webhook_endpoints SET
  queued = (SELECT count(*) FROM outbox WHERE endpoint_id = webhook_endpoints.id AND dead_at IS NULL),
  dead = (SELECT count(*) FROM outbox WHERE endpoint_id = webhook_endpoints.id AND dead_at IS NOT NULL),
  due_at = (SELECT min(next_at) FROM outbox WHERE endpoint_id = webhook_endpoints.id AND next_at IS NOT NULL);

DROP TRIGGER outbox_counts_in;
DROP TRIGGER outbox_counts_out;
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
