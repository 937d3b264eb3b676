-- What a session's password opens, sealed under the session's data key and gone with that (service/session-password.ts).
ALTER TABLE mayfly.sessions ADD COLUMN password bytea;
-- Statistics keep copies of values.
ALTER TABLE mayfly.sessions ALTER COLUMN password SET STATISTICS 0;
