-- Shares of a session: a small text that ends with it (domain/share.ts).
ALTER TABLE sessions ADD COLUMN shares TEXT;
