-- Functions about the shards of a distributed schema.

-- Keeps these shards on this machine until the transaction ends; an error if one is not there.
CREATE OR REPLACE FUNCTION mayfly.stay_here(p_shards bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_shard_metadata(5, p_shards);
  IF (
    SELECT count(*) FROM pg_catalog.pg_dist_placement p
    WHERE p.shardid = ANY (p_shards) AND p.groupid = (SELECT groupid FROM pg_catalog.pg_dist_local_group LIMIT 1)
  ) <> cardinality(p_shards) THEN
    RAISE EXCEPTION USING ERRCODE = 'MF002', MESSAGE = 'A shard has moved.';
  END IF;
END $$;

-- Gives the shards of a table what Citus omits when it creates those of a partition: how columns are stored, and of which
-- no statistics are kept, since these are copies of values.
CREATE OR REPLACE FUNCTION mayfly.settle_shards(p_table regclass) RETURNS void LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  v_changes text;
  v_failed text;
BEGIN
  SELECT string_agg(
    format(
      'ALTER COLUMN %I SET STATISTICS %s, ALTER COLUMN %I SET STORAGE %s', attname, attstattarget, attname,
      CASE attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END
    ), ', '
  ) INTO v_changes
  FROM pg_attribute WHERE attrelid = p_table AND attnum > 0 AND NOT attisdropped;
  SELECT result INTO v_failed FROM run_command_on_shards(p_table, format('ALTER TABLE %%s %s', v_changes))
  WHERE NOT success LIMIT 1;
  IF v_failed IS NOT NULL THEN
    RAISE EXCEPTION 'A shard of % could not be settled: %', p_table, v_failed;
  END IF;
END $$;

-- Over one connection to each worker: over several, the shards of one partition wait for each other in a circle under load.
ALTER FUNCTION mayfly.make_bucket(integer) SET citus.multi_shard_modify_mode = 'sequential';
