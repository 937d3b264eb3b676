-- Chunks by row number. Without one the key precedes the data in a tree that is searched by whole entries, so that
-- finding a chunk meant reading a dozen others of 256 KiB each.
CREATE TABLE chunks_by_row (
  message_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  data BLOB NOT NULL,
  UNIQUE (message_id, number)
) STRICT;
INSERT INTO chunks_by_row SELECT message_id, number, data FROM chunks;
DROP TABLE chunks;
ALTER TABLE chunks_by_row RENAME TO chunks;
