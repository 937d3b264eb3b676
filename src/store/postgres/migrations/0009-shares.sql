-- Shares of a session: a small text that ends with it (domain/share.ts).
ALTER TABLE mayfly.sessions ADD COLUMN shares text;
