-- Whether the oldest messages of a session make room for a new one; else that is refused.
ALTER TABLE sessions ADD COLUMN drops_oldest INTEGER NOT NULL DEFAULT 0;
