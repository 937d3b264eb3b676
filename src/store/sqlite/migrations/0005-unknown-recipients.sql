-- Whether mail for unknown addresses of the domain is accepted and discarded instead of refused.
ALTER TABLE domains ADD COLUMN discards_unknown INTEGER NOT NULL DEFAULT 0;
