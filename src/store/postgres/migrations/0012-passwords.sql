-- The content behind a session's password, sealed under the session's data key and lost with it
-- (service/session-password.ts).
ALTER TABLE mayfly.sessions ADD COLUMN password bytea;
-- Statistics would keep copies of values.
ALTER TABLE mayfly.sessions ALTER COLUMN password SET STATISTICS 0;
