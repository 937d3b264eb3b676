-- What a session's password opens, sealed under the session's data key and gone with that (service/session-password.ts).
ALTER TABLE sessions ADD COLUMN password BLOB;
