-- Mail for addresses of the domain that nobody holds is accepted and thrown away instead of refused.
ALTER TABLE domains ADD COLUMN discards_unknown INTEGER NOT NULL DEFAULT 0;
