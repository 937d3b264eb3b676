-- `mayfly mailbox` shows which messages are new. And the lock for a new partition, behind which every statement on the
-- table waits, is given up before those statements are.
-- needs: 19
ALTER TABLE mayfly.operator_messages ADD COLUMN is_read boolean NOT NULL DEFAULT false;
ALTER FUNCTION mayfly.make_bucket(integer) SET lock_timeout = '1500ms';
