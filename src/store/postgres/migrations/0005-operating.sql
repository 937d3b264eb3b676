-- API keys and block lists.

CREATE TABLE mayfly.api_keys (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- never reused
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('caller', 'admin')),
  scopes text NOT NULL, -- comma separated
  key_hash bytea NOT NULL UNIQUE, -- SHA-256; the key itself is nowhere
  rate_per_minute integer, -- null for the usual one
  created_at bigint NOT NULL,
  revoked_at bigint, -- set once
  uses bigint NOT NULL DEFAULT 0,
  last_used_at bigint
);
CREATE UNIQUE INDEX api_keys_name ON mayfly.api_keys (name) WHERE revoked_at IS NULL;

CREATE TABLE mayfly.blocks (
  kind text NOT NULL CHECK (kind IN ('sender', 'prefix', 'network')),
  value text COLLATE "C" NOT NULL, -- in the one spelling that src/service/block-value.ts makes of it
  note text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (kind, value)
);

-- Written at most once a minute.
ALTER TABLE mayfly.domains ADD COLUMN last_mail_at bigint;

-- Operators search live addresses among many more in quarantine.
CREATE INDEX addresses_live ON mayfly.addresses (address_key) WHERE free_at IS NULL;
