-- Contents of messages are stored in the order of arrival, apart from the rows that find them by session: a group
-- commit writes one stretch of the file for all its messages, and small rows for their sessions.

CREATE TABLE contents (
  id INTEGER PRIMARY KEY, -- the next one after the last
  meta BLOB NOT NULL,
  raw BLOB NOT NULL -- sealed first chunk
) STRICT;
INSERT INTO contents (meta, raw) SELECT meta, raw FROM messages ORDER BY id;

CREATE TABLE placed_messages (
  id INTEGER PRIMARY KEY, -- the session's id times 2^22 plus the message's seq
  received_at INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  content_id INTEGER NOT NULL
) STRICT;
INSERT INTO placed_messages
  SELECT id, received_at, size_bytes, row_number() OVER (ORDER BY id) FROM messages ORDER BY id;
DROP TABLE messages;
ALTER TABLE placed_messages RENAME TO messages;
