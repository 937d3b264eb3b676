-- Looking up sessions on a distributed schema, by the coordinator: one by one, each on its shard. Nodes ask the workers
-- directly (citus/worker-lookups.ts), and come here for a shard that has just moved.

CREATE OR REPLACE FUNCTION mayfly.find_sessions(p_now bigint, p_keys bytea[])
RETURNS TABLE (
  o_place bigint, o_now bigint, o_key bytea, o_token_hash bytea, o_address bytea, o_created_at bigint, o_expires_at bigint,
  o_latest_end_at bigint, o_ended_at bigint, o_bucket integer, o_seq integer, o_version bigint, o_message_count integer,
  o_message_bytes bigint, o_account_id integer, o_public_key bytea, o_salt bytea, o_drops_oldest boolean
) LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_key bytea;
BEGIN
  o_now := mayfly.now_ms(p_now);
  FOR o_place, v_key IN SELECT place, key FROM unnest(p_keys) WITH ORDINALITY AS t (key, place) LOOP
    FOR o_key, o_token_hash, o_address, o_created_at, o_expires_at, o_latest_end_at, o_ended_at, o_bucket, o_seq,
      o_version, o_message_count, o_message_bytes, o_account_id, o_public_key, o_salt, o_drops_oldest IN
      SELECT s.key, s.token_hash, s.address, s.created_at, s.expires_at, s.latest_end_at, s.ended_at,
        s.bucket, s.seq, s.version, s.message_count, s.message_bytes, s.account_id, s.public_key, s.salt, s.drops_oldest
      FROM mayfly.sessions s WHERE s.key = v_key
    LOOP
      RETURN NEXT;
    END LOOP;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION mayfly.find_holders(p_now bigint, p_address_keys bytea[])
RETURNS TABLE (
  o_place bigint, o_now bigint, o_key bytea, o_token_hash bytea, o_address bytea, o_created_at bigint, o_expires_at bigint,
  o_latest_end_at bigint, o_ended_at bigint, o_bucket integer, o_seq integer, o_version bigint, o_message_count integer,
  o_message_bytes bigint, o_account_id integer, o_public_key bytea, o_salt bytea, o_drops_oldest boolean
) LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_address_key bytea;
  v_place bigint;
  v_key bytea;
BEGIN
  FOR v_place, v_address_key IN SELECT place, key FROM unnest(p_address_keys) WITH ORDINALITY AS t (key, place) LOOP
    SELECT session_key INTO v_key FROM mayfly.addresses WHERE address_key = v_address_key AND free_at IS NULL;
    CONTINUE WHEN NOT FOUND;
    RETURN QUERY
      SELECT v_place, f.o_now, f.o_key, f.o_token_hash, f.o_address, f.o_created_at, f.o_expires_at, f.o_latest_end_at,
        f.o_ended_at, f.o_bucket, f.o_seq, f.o_version, f.o_message_count, f.o_message_bytes, f.o_account_id,
        f.o_public_key, f.o_salt, f.o_drops_oldest
      FROM mayfly.find_sessions(p_now, ARRAY[v_key]) AS f;
  END LOOP;
END $$;
