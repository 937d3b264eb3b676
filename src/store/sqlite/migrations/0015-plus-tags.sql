-- Whether mail for `name+tag@` of the domain is delivered to the holder of `name@`.
ALTER TABLE domains ADD COLUMN takes_plus_tags INTEGER NOT NULL DEFAULT 1;
