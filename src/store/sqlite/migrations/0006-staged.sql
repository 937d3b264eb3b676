-- Large messages are written in several commits, so that none of them takes long. Their chunks after the first are
-- stored under an id of their own, and belong to no message until the last commit assigns them; without it they are
-- garbage.
CREATE TABLE staged (
  chunks_id INTEGER PRIMARY KEY, -- stands for message_id in chunks and garbage; as there, but below 0
  message_id INTEGER UNIQUE -- null before that commit, and once the message is deleted
) STRICT;
