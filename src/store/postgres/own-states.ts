// The SQLSTATEs that our own functions in functions/ raise. Each has one meaning: what is raised for one cause must not be
// taken for another.

export const ownStates = {
  /** The group is not stored, since a recipient is over quota; the error's detail has the outcomes. */
  withheld: 'MF001',
  /** A shard is not, or no longer, on this machine of a cluster. */
  moved: 'MF002',
} as const;
