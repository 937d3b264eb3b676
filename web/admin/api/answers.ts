// The answers of the admin interface, as far as the page shows them. Instants are UTC, `YYYY-MM-DD HH:MM:SS`.

export interface Status {
  readonly version: string;
  readonly ready: boolean;
  readonly reason: string | null;
  readonly uptime_seconds: number;
  readonly live_sessions: number;
  readonly active_domains: number;
  readonly keys: number;
  readonly blocks: number;
  readonly dead_webhooks: number;
  readonly certificate: {
    readonly not_after: string | null;
    /** Null unless it comes from an ACME server. */
    readonly renewal: {
      /** In a row. */
      readonly failures: number;
      readonly failure: { readonly reason: string } | null;
    } | null;
  };
}

export interface Domain {
  readonly domain: string;
  readonly active: boolean;
  readonly quarantine_seconds: number;
  /** The same as people write it, such as `30d`. */
  readonly quarantine: string;
  readonly refuses_dmarc_reject: boolean;
  readonly discards_unknown: boolean;
  readonly takes_plus_tags: boolean;
  readonly last_mail_at: string | null;
}

export type CheckState = 'ok' | 'warning' | 'failed' | 'unknown';

export interface DomainCheck {
  readonly what: 'mx' | 'address' | 'tls' | 'spf';
  readonly state: CheckState;
  readonly detail: string;
}

export interface DomainState {
  readonly domain: string;
  readonly state: CheckState | 'pending';
  readonly problem: string | null;
  readonly checked_at: string | null;
  readonly checks: readonly DomainCheck[];
}

/** A finding of the doctor. */
export interface Finding {
  readonly check: string;
  readonly state: CheckState;
  /** A sentence about what was found. */
  readonly what: string;
  /** A sentence about what to do. */
  readonly fix: string | null;
}

export interface DoctorReport {
  readonly checked_at: string;
  /** `ok` only if everything was checked. */
  readonly state: CheckState;
  readonly findings: readonly Finding[];
}

export interface Session {
  readonly email: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly message_count: number;
  readonly message_bytes: number;
}

export interface DomainCount {
  readonly domain: string;
  readonly live_sessions: number;
}

export type Outcome = 'accepted' | 'deferred' | 'refused' | 'discarded';

export interface Delivery {
  readonly at: string;
  readonly address: string;
  readonly outcome: Outcome;
  readonly reply: string;
  readonly size: number | null;
  readonly remote_ip: string | null;
  /** Its networks that can be blocked, the narrowest first. */
  readonly networks: readonly string[];
  readonly helo: string;
  readonly tls: string | null;
  /** Empty for a bounce. */
  readonly sender_domain: string | null;
  readonly id: string | null;
  readonly connection: string | null;
}

export const refusalStages = ['connect', 'helo', 'tls', 'auth', 'mail', 'rcpt', 'command'] as const;
export type RefusalStage = (typeof refusalStages)[number];

/** Refusals of an hour, of one network and cause. */
export interface Refusal {
  readonly at: string;
  readonly last_at: string;
  /** `*` for those that were too many to be kept apart; empty when unknown. */
  readonly network: string;
  readonly stage: RefusalStage;
  readonly cause: string;
  readonly count: number;
  /** These of the latest. */
  readonly remote_ip: string | null;
  readonly networks: readonly string[];
  readonly helo: string;
  readonly sender_domain: string | null;
}

export interface StatisticsPoint {
  /** When the hour or day began. */
  readonly at: string;
  readonly received: number;
  readonly bytes: number;
  readonly refused: number;
  readonly deferred: number;
  readonly sessions: number;
}

interface NamedCount {
  readonly name: string;
  readonly count: number;
}

export interface StatisticsAnswer {
  readonly by: 'hour' | 'day';
  readonly points: readonly StatisticsPoint[];
  readonly causes: readonly NamedCount[];
  readonly senders: readonly NamedCount[];
}

export interface Key {
  readonly id: number;
  readonly name: string;
  readonly admin: boolean;
  readonly scopes: readonly string[];
  readonly rate_per_minute: number | null;
  readonly created_at: string;
  readonly revoked_at: string | null;
  readonly uses: number;
  readonly last_used_at: string | null;
}

export interface MadeKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly key: string;
}

export interface SignInAnswer {
  readonly token: string;
  readonly key: string;
}

export interface Passkey {
  readonly id: string;
  /** The name of the administrator's key. */
  readonly key: string;
  readonly name: string;
  readonly created_at: string | null;
  readonly last_used_at: string | null;
}

export type BlockKind = 'sender' | 'prefix' | 'network';

export interface Block {
  readonly kind: BlockKind;
  readonly value: string;
  readonly note: string;
  readonly created_at: string | null;
}

export interface GmailAccount {
  readonly email: string;
  readonly active: boolean;
  readonly state: 'new' | 'healthy' | 'failing' | 'refused' | 'disabled';
  readonly state_since: string;
  readonly detail: string;
  readonly lag_seconds: number | null;
  readonly free_dot_variants: number | null;
  readonly live_sessions: number;
  readonly unmatched: number;
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls' | 'none';
  readonly user: string;
  readonly auth: 'password' | 'oauth2';
  readonly inbox_folder: string | null;
  readonly spam_folder: string | null;
}

export interface DeadWebhook {
  readonly id: number;
  readonly event: string;
  readonly happened_at: string;
  readonly given_up_at: string;
  readonly tries: number;
  readonly reason: string;
}

export interface Setting {
  readonly name: string;
  readonly value: string;
  readonly source: 'default' | 'environment' | 'file' | 'command line';
  /** The file that it comes from; null for another source. */
  readonly file: string | null;
}

export interface OverviewAnswer {
  /** Null when it is not known. */
  readonly disk: {
    readonly folder: string;
    readonly free_bytes: number;
    readonly total_bytes: number;
  } | null;
  readonly store: { readonly engine: string; readonly version: string; readonly bytes: number };
  readonly certificates: readonly {
    readonly serves: readonly string[];
    readonly names: readonly string[];
    readonly not_after: string | null;
  }[];
  readonly backup: {
    readonly made_at: string | null;
    readonly verified: boolean;
    readonly folder: string;
  } | null;
  readonly queues: {
    readonly webhooks_waiting: number;
    readonly webhooks_oldest_at: string | null;
    readonly pushes_waiting: number;
  };
  readonly nodes: readonly Node[];
}

export interface Node {
  readonly host: string;
  readonly version: string;
  readonly roles: readonly string[];
  readonly started_at: string | null;
  readonly seen_at: string | null;
  readonly alive: boolean;
  /** Whether it answers this page. */
  readonly self: boolean;
}

/** `begun`: how it ended is not known. */
export type AuditOutcome = 'begun' | 'done' | 'refused' | 'failed';

export interface AuditEntry {
  readonly id: string;
  readonly at: string | null;
  readonly by: 'key' | 'passkey' | 'link' | 'command line';
  readonly who: string;
  readonly action: string;
  readonly target: string;
  readonly outcome: AuditOutcome;
  readonly detail: string;
}

export type TrafficName =
  | 'messages_stored'
  | 'messages_refused'
  | 'sessions_created'
  | 'smtp_connections'
  | 'http_requests'
  | 'webhooks_sent';

export type TrafficPoint = Readonly<Record<TrafficName, number>> & {
  /** Its end. */
  readonly at: string;
  readonly seconds: number;
  readonly live_sessions: number | null;
};
