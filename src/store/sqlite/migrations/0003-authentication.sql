-- What the checks of a message's origin came to, sealed.
ALTER TABLE notes ADD COLUMN authentication BLOB;

-- Mail that fails DMARC where the sender's domain wants it refused is refused at end of data.
ALTER TABLE domains ADD COLUMN refuses_dmarc_reject INTEGER NOT NULL DEFAULT 0;
