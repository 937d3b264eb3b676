// The port to the domains that the operator sets up; keys and block lists have ports of their own beside it.
// Small and read often; implementations may answer from memory.

export interface Domain {
  /** Never reused, not even after removal. */
  readonly id: number;
  /** Lower case. */
  readonly name: string;
  readonly isActive: boolean;
  /** How long an address rests after its session; 0 for a test domain. */
  readonly quarantineMs: number;
  /** Mail that fails DMARC and whose domain asks for its refusal is refused for this one. */
  readonly refusesDmarcReject: boolean;
  /** Mail for addresses that nobody holds is accepted and thrown away; else it is refused. */
  readonly discardsUnknown: boolean;
  /** Mail for `name+tag@` is taken for the holder of `name@`. */
  readonly takesPlusTags: boolean;
}

/** What can be changed of a domain that is there; undefined leaves it as it is. */
export interface DomainChanges {
  readonly refusesDmarcReject?: boolean | undefined;
  readonly discardsUnknown?: boolean | undefined;
  readonly takesPlusTags?: boolean | undefined;
}

export interface DirectoryStore {
  /** In order of id, inactive ones included. */
  listDomains(): Promise<readonly Domain[]>;
  /**
   * Adds the domain or makes a disabled one active again. `quarantineMs` undefined: what the domain has already,
   * `fallbackMs` for a new one.
   */
  addDomain(name: string, quarantineMs: number | undefined, fallbackMs: number): Promise<Domain>;
  /** undefined when there is none of this name. */
  changeDomain(name: string, changes: DomainChanges): Promise<Domain | undefined>;
  /** undefined when there is none of this name. */
  disableDomain(name: string): Promise<Domain | undefined>;
  /** Removes the domain and ends its live sessions; returns how many ended, undefined when there is none. */
  removeDomain(name: string): Promise<number | undefined>;
  /** Domain's name → instant of the last mail taken for it, ms since 1970; later ones win, unknown names are skipped. */
  keepLastMail(lastMailAt: ReadonlyMap<string, number>): Promise<void>;
  /** Of domains that ever had mail. */
  listLastMail(): Promise<ReadonlyMap<string, number>>;
  /** Whether a domain was ever added, removed ones included. */
  hasEverHadDomain(): Promise<boolean>;
}
