-- The content behind a session's password, sealed under the session's data key and lost with it
-- (service/session-password.ts).
ALTER TABLE sessions ADD COLUMN password BLOB;
