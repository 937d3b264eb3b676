/** The number that Citus creates by default; a worker has several, so that they can be redistributed. */
export const shardsByDefault = 32;
