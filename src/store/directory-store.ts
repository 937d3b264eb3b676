// The port to the operator's domains. Few and read often; implementations may answer from memory.

export interface Domain {
  /** Never reused, not even after removal. */
  readonly id: number;
  /** Lower case. */
  readonly name: string;
  readonly isActive: boolean;
  /** How long an address stays in quarantine after its session; 0 for a test domain. */
  readonly quarantineMs: number;
  /** Whether mail that fails DMARC is refused when the sender's domain requests it. */
  readonly refusesDmarcReject: boolean;
  /** Whether mail for unknown addresses is accepted and discarded; otherwise it is refused. */
  readonly discardsUnknown: boolean;
  /** Whether mail for `name+tag@` goes to the holder of `name@`. */
  readonly takesPlusTags: boolean;
}

/** Changes to an existing domain; undefined leaves a value as it is. */
export interface DomainChanges {
  readonly refusesDmarcReject?: boolean | undefined;
  readonly discardsUnknown?: boolean | undefined;
  readonly takesPlusTags?: boolean | undefined;
}

export interface DirectoryStore {
  /** In order of id, including inactive ones. */
  listDomains(): Promise<readonly Domain[]>;
  /**
   * Adds the domain, or reactivates a disabled one. `quarantineMs` undefined keeps the domain's value; a new one gets
   * `fallbackMs`.
   */
  addDomain(name: string, quarantineMs: number | undefined, fallbackMs: number): Promise<Domain>;
  /** Resolves with undefined when there is none of this name. */
  changeDomain(name: string, changes: DomainChanges): Promise<Domain | undefined>;
  /** Resolves with undefined when there is none of this name. */
  disableDomain(name: string): Promise<Domain | undefined>;
  /**
   * Removes the domain and ends its live sessions. Resolves with how many ended; undefined when there is none of this
   * name.
   */
  removeDomain(name: string): Promise<number | undefined>;
  /** Records by domain name when mail last arrived, ms since 1970. Later instants win; unknown names are skipped. */
  keepLastMail(lastMailAt: ReadonlyMap<string, number>): Promise<void>;
  /** Includes only domains that have received mail. */
  listLastMail(): Promise<ReadonlyMap<string, number>>;
  /** Reports whether a domain was ever added, including removed ones. */
  hasEverHadDomain(): Promise<boolean>;
}
