-- The results of the checks of a message's origin, sealed.
ALTER TABLE notes ADD COLUMN authentication BLOB;

-- Whether mail that fails DMARC is refused at end of data if the sender's domain asks for that.
ALTER TABLE domains ADD COLUMN refuses_dmarc_reject INTEGER NOT NULL DEFAULT 0;
