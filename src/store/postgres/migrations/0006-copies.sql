-- The progress of copying a SQLite store (`mayfly copy`). No node serves the database before it is finished.

CREATE TABLE mayfly.copies (
  id boolean PRIMARY KEY DEFAULT true CHECK (id), -- one at most
  source text NOT NULL, -- fingerprint of what is copied
  began_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
CREATE TABLE mayfly.copy_steps (
  step text PRIMARY KEY,
  rows bigint NOT NULL,
  cursor text NOT NULL -- the key of the last row
);
