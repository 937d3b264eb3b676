-- Whether mail for `name+tag@` of the domain is delivered to the holder of `name@`.
ALTER TABLE mayfly.domains ADD COLUMN takes_plus_tags boolean NOT NULL DEFAULT true;
