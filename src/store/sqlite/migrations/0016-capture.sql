-- Whether a session's oldest messages make room for a new one, which is otherwise refused.
ALTER TABLE sessions ADD COLUMN drops_oldest INTEGER NOT NULL DEFAULT 0;
