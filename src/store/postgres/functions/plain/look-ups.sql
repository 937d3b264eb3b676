-- Looking up many sessions at once on a single server. An array's length is known to a plan made for it and not to one
-- for all, so that the first looks cheaper and PostgreSQL would plan anew at each call, as long as the look-up itself
-- takes. A plan that is kept must serve when the tables have grown, so no index but the key's can do here
-- (num_nulls): that of live addresses would be read from end to end.

-- Returns the requested rows, each with its index in the request and the time; `salt` is null once the session has ended.
CREATE OR REPLACE FUNCTION mayfly.find_sessions(p_now bigint, p_keys bytea[])
RETURNS TABLE (
  o_place bigint, o_now bigint, o_key bytea, o_token_hash bytea, o_address bytea, o_created_at bigint, o_expires_at bigint,
  o_latest_end_at bigint, o_ended_at bigint, o_bucket integer, o_seq integer, o_version bigint, o_message_count integer,
  o_message_bytes bigint, o_account_id integer, o_public_key bytea, o_salt bytea, o_drops_oldest boolean
) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  o_now := mayfly.now_ms(p_now);
  RETURN QUERY
    SELECT i.place, o_now, s.key, s.token_hash, s.address, s.created_at, s.expires_at, s.latest_end_at, s.ended_at,
      s.bucket, s.seq, s.version, s.message_count, s.message_bytes, s.account_id, s.public_key, s.salt, s.drops_oldest
    FROM unnest(p_keys) WITH ORDINALITY AS i (key, place)
    JOIN mayfly.sessions s ON s.key = i.key;
END $$;

-- Returns the same for the current holders of the addresses.
CREATE OR REPLACE FUNCTION mayfly.find_holders(p_now bigint, p_address_keys bytea[])
RETURNS TABLE (
  o_place bigint, o_now bigint, o_key bytea, o_token_hash bytea, o_address bytea, o_created_at bigint, o_expires_at bigint,
  o_latest_end_at bigint, o_ended_at bigint, o_bucket integer, o_seq integer, o_version bigint, o_message_count integer,
  o_message_bytes bigint, o_account_id integer, o_public_key bytea, o_salt bytea, o_drops_oldest boolean
) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_memoize = off SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  o_now := mayfly.now_ms(p_now);
  RETURN QUERY
    SELECT i.place, o_now, s.key, s.token_hash, s.address, s.created_at, s.expires_at, s.latest_end_at, s.ended_at,
      s.bucket, s.seq, s.version, s.message_count, s.message_bytes, s.account_id, s.public_key, s.salt, s.drops_oldest
    FROM unnest(p_address_keys) WITH ORDINALITY AS i (address_key, place)
    JOIN mayfly.addresses a ON a.address_key = i.address_key
    JOIN mayfly.sessions s ON s.key = a.session_key
    WHERE num_nulls(a.free_at) = 1;
END $$;
