// The facts that the checks judge. Collected elsewhere; nothing here is a judgement. Instants are ms since 1970.

/** Records of a name; empty when there are none. `unknown`: they could not be asked for. */
export type Asked<T> = readonly T[] | 'unknown';

export interface HostAddress {
  readonly address: string;
  /** Which hosts can reach it: none but this one, those of its own network, all. */
  readonly reach: 'none' | 'network' | 'anyone';
}

export interface MailExchange {
  /** In lower case, without the final dot; empty for a null MX. */
  readonly exchange: string;
  readonly priority: number;
}

export interface ExchangeFacts {
  readonly name: string;
  /** Another name that it is only an alias of; undefined for none, or when it could not be asked for. */
  readonly alias?: string | undefined;
  readonly ipv4: Asked<HostAddress>;
  readonly ipv6: Asked<HostAddress>;
}

/** The records without which no mail comes. */
export interface MailRecords {
  readonly domain: string;
  readonly mx: Asked<MailExchange>;
  /** The first few that MX names. */
  readonly exchanges: readonly ExchangeFacts[];
  /** TXT of the domain. */
  readonly texts: Asked<string>;
}

export interface PointerFacts {
  readonly address: string;
  /** PTR. */
  readonly names: Asked<string>;
  /** The addresses of these names. */
  readonly back: Asked<string>;
}

/** The first line of an SMTP server, and whether it offers STARTTLS. */
export interface GreetingFacts {
  readonly address: string;
  /** `none`: no connection, as also where a router does not lead back to its own network. */
  readonly answer: { readonly host: string; readonly offersTls: boolean } | 'none';
}

/** The answer of a web server; without one, why. */
export type Fetched =
  | {
      readonly status: number;
      readonly body: string;
      readonly dateAt: number | undefined;
      /** When it is valid; absent over plain HTTP. */
      readonly certificate?: { readonly from: number; readonly until: number } | undefined;
    }
  | { readonly problem: 'name' | 'connection' | 'certificate' | 'time'; readonly reason: string };

export interface DomainFacts extends MailRecords {
  /** MX of a name below the domain that no one has. */
  readonly wildcardMx: Asked<MailExchange>;
  readonly pointers: readonly PointerFacts[];
  readonly greetings: readonly GreetingFacts[];
  /** The policy that applies, of the domain or of one above it. */
  readonly dmarc: { readonly at: string; readonly texts: Asked<string> };
  readonly tlsReports: Asked<string>;
  readonly mtaStsTexts: Asked<string>;
  /** Undefined while it was not asked for, because there is neither record nor setting. */
  readonly mtaStsPolicy: Fetched | undefined;
}

/** The certificate of STARTTLS. `off`: it is not offered. */
export type CertificateFacts =
  | {
      /** Empty when there is none that can be read. */
      readonly pem: string;
      /** Why files of a certificate are not used, beginning with one of them. */
      readonly fault?: string | undefined;
      /** The issuer without whose certificate clients do not get from it to a root. */
      readonly missingIssuer?: string | undefined;
      /** Set for one from an ACME server: why the last attempt to obtain it failed, if it did. */
      readonly acme?: { readonly failure: string | undefined } | undefined;
    }
  | 'off';

/** A mail that came from outside. */
export interface ArrivalFacts {
  readonly at: number;
  readonly domain: string;
  readonly remoteAddress: string;
  /** TLS version and cipher; null for a plain connection. */
  readonly tls: string | null;
  /** Results such as `pass`; undefined when it is not known, as of a mail that was not a probe. */
  readonly authentication: Readonly<Record<'spf' | 'dkim' | 'dmarc', string>> | undefined;
}

/** How the listener saw our own request for the page. */
export interface PageVisit {
  /** The other end of the connection. */
  readonly peer: string;
  readonly isPeerTrusted: boolean;
  readonly hasField: boolean;
}

export interface PageFacts {
  /** An origin with the path under which everything is served; empty when none is set. */
  readonly url: string;
  readonly fetched: Fetched | undefined;
  /** Undefined when our listener did not see the request. */
  readonly visit: PageVisit | undefined;
  /** Whether HTTPS ends at our listener, and not at a proxy. */
  readonly endsTls: boolean;
  readonly proxyField: string;
  /** Whether other nodes may have answered. */
  readonly hasNodes: boolean;
}

export interface ServerFacts {
  readonly now: number;
  readonly hostname: string;
  readonly certificate: CertificateFacts;
  readonly mtaStsMode: 'off' | 'testing' | 'enforce';
  /** Public addresses of its interfaces; empty behind a router. */
  readonly ownAddresses: readonly string[];
  /** `unready` with the reason. */
  readonly service: 'running' | 'stopped' | { readonly unready: string };
  readonly arrivals: readonly ArrivalFacts[];
  readonly page: PageFacts;
  /**
   * By how much a clock elsewhere is ahead of ours; `invalid` when its certificate is not valid by ours, and undefined when
   * none answered.
   */
  readonly clockAheadMs: number | 'invalid' | undefined;
  readonly descriptors: { readonly open: number; readonly limit: number } | 'unknown';
  readonly disk: DiskFacts | 'unknown';
  /** The median of several syncs of a small file in the data folder. */
  readonly syncMs: number | 'unknown';
  /** Folders of secrets that other users may enter or read. */
  readonly exposed: readonly string[] | 'unknown';
  /** Files of secrets elsewhere that others than their group may read. */
  readonly exposedFiles: readonly string[];
  /** Undefined for a store that this machine has alone; `unknown` when it did not answer. */
  readonly database?: DatabaseFacts | 'unknown' | undefined;
  readonly backup: BackupFacts | undefined;
  readonly version: { readonly running: string; readonly installed: string; readonly node: string };
}

/** The server of a shared store. */
export interface DatabaseFacts {
  /** Settings without which a crash of its machine loses or ruins what was committed. */
  readonly off: readonly string[];
  readonly connections: number;
  readonly connectionsMax: number;
}

export interface DiskFacts {
  readonly folder: string;
  /** Set where what is written does not last, or is written elsewhere; `fuse` by a program, perhaps elsewhere. */
  readonly kind?: 'memory' | 'network' | 'fuse' | undefined;
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** In parts of one; 1 where the file system counts none. */
  readonly freeInodes: number;
  /** Below this no mail is accepted. */
  readonly floorBytes: number;
}

/** The last backup that was made and verified. */
export interface BackupFacts {
  readonly madeAt: number;
  readonly folder: string;
}

export interface Facts {
  /** `off`: the operator allows no queries. */
  readonly dns: 'on' | 'off';
  readonly server: ServerFacts;
  /** The active ones, but for a few beyond a bound. */
  readonly domains: readonly DomainFacts[];
  readonly leftOut: number;
  readonly hasDomains: boolean;
}
