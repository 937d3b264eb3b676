// Maps each step of a copy to its tables and columns, and to the fields of the source row. Used by copy-target.ts.

import type { TransferStep } from '../../transfer/transfer-rows.ts';

/** `utf8` is bytea made from text. */
export type ColumnKind = 'bytea' | 'utf8' | 'text' | 'bigint' | 'integer' | 'boolean';
/** The column, its type, and the name in the source row where that differs. */
export type CopyColumn = readonly [column: string, kind: ColumnKind, from?: string];

export interface CopyTable {
  readonly table: string;
  readonly columns: readonly CopyColumn[];
  /** Writes one row for each item that arrives in several rows. */
  readonly isFirstOnly?: true;
}

const session: CopyColumn = ['session_key', 'bytea', 'key'];
const inBucket: readonly CopyColumn[] = [['bucket', 'integer'], session];
const id: CopyColumn = ['id', 'bigint'];
/** Unique within the session, like the random ids of deliveries. */
const ingestId: CopyColumn = ['ingest_id', 'bigint', 'id'];

const texts = (...names: readonly string[]): CopyColumn[] => names.map((name) => [name, 'text']);
const numbers = (...names: readonly string[]): CopyColumn[] => names.map((name) => [name, 'bigint']);
const integers = (...names: readonly string[]): CopyColumn[] => names.map((name) => [name, 'integer']);
const flags = (...names: readonly string[]): CopyColumn[] => names.map((name) => [name, 'boolean']);
const bytes = (...names: readonly string[]): CopyColumn[] => names.map((name) => [name, 'bytea']);

function one(table: string, ...columns: readonly CopyColumn[]): readonly CopyTable[] {
  return [{ table, columns }];
}

export const copyTables: Readonly<Record<TransferStep, readonly CopyTable[]>> = {
  domains: one(
    'domains',
    ...[id, ...texts('name'), ...numbers('quarantine_ms', 'last_mail_at')],
    ...flags('is_active', 'refuses_dmarc_reject', 'discards_unknown', 'takes_plus_tags'),
  ),
  keys: one(
    'api_keys',
    ...[id, ...texts('name', 'kind', 'scopes'), ...bytes('key_hash'), ...integers('rate_per_minute')],
    ...numbers('created_at', 'revoked_at', 'uses', 'last_used_at'),
  ),
  passkeys: one(
    'passkeys',
    ...[id, ...integers('key_id'), ...texts('name', 'transports'), ...bytes('credential_id', 'public_key')],
    ...numbers('counter', 'created_at', 'last_used_at'),
  ),
  keyFingerprints: one('key_fingerprints', ...texts('name'), ...bytes('fingerprint')),
  blocks: one('blocks', ...texts('kind', 'value', 'note'), ...numbers('created_at')),
  records: one('records', ...texts('name'), ...bytes('sealed'), ...numbers('changed_at')),
  inboundRoutes: one(
    'inbound_routes',
    ...[...texts('name', 'provider', 'trusts'), ...bytes('sealed'), ...numbers('created_at')],
  ),
  inboundProofs: one(
    'inbound_proofs',
    ...[...texts('route'), ...bytes('id', 'binds'), ...numbers('uses', 'ends_at'), ...flags('is_done')],
  ),
  statistics: one('statistics', ...texts('span', 'name'), ...numbers('at', 'count')),
  audit: one(
    'audit',
    ...[...texts('id', 'actor_kind', 'actor', 'action', 'target', 'outcome', 'detail'), ...numbers('at')],
  ),
  refusals: one(
    'refusals',
    ...[
      ...texts('network', 'stage', 'cause', 'host', 'helo', 'sender'),
      ...numbers('at', 'count', 'last_at'),
    ],
  ),
  mailboxes: one('gmail_mailboxes', id, ...texts('email'), ...integers('next_alias')),
  accounts: one(
    'gmail_accounts',
    ...[id, ...texts('email', 'host', 'security', 'auth', 'inbox_folder', 'spam_folder', 'health', 'detail')],
    ...[['login', 'text', 'user'] as const, ...bytes('sealed_credentials'), ...flags('is_active')],
    ...integers('mailbox_id', 'port', 'revision', 'usage_day'),
    ...numbers('health_at', 'unmatched', 'usage_bytes'),
  ),
  cursors: one(
    'gmail_cursors',
    ...[...integers('account_id'), ['folder', 'utf8'] as const, ...numbers('uid_validity', 'last_uid')],
  ),
  sessions: one(
    'sessions',
    ...numbers('version', 'message_bytes', 'created_at', 'expires_at', 'latest_end_at', 'quarantine_ms'),
    ...[...numbers('ended_at'), ...integers('seq', 'message_count', 'bucket', 'account_id')],
    ...[
      ['is_reclaimed', 'boolean', 'is_over'] as const,
      ...bytes('key', 'token_hash', 'public_key', 'salt', 'password'),
    ],
    ...[
      ['address', 'utf8'] as const,
      ['address_key', 'utf8'] as const,
      ...texts('shares', 'pushes', 'sent_keys'),
    ],
    ...flags('drops_oldest'),
  ),
  addresses: one(
    'addresses',
    ...[['address_key', 'utf8'] as const, session, ...numbers('free_at'), ...integers('dots_of')],
  ),
  messages: [
    {
      table: 'messages',
      columns: [
        ...inBucket,
        ...integers('seq'),
        ...numbers('received_at', 'size_bytes'),
        ingestId,
        ...bytes('meta'),
      ],
    },
    { table: 'chunks', columns: [...inBucket, ingestId, ...integers('number'), ['data', 'bytea', 'raw']] },
  ],
  chunks: one('chunks', ...inBucket, ingestId, ...integers('number'), ...bytes('data')),
  notes: one(
    'notes',
    ...[...inBucket, ...integers('seq'), ...flags('is_read'), ...bytes('glance', 'authentication')],
  ),
  events: one('events', ...inBucket, ...integers('seq', 'message_seq'), ...numbers('at'), ...texts('kind')),
  attempts: one('attempts', ...inBucket, ...numbers('at', 'number'), ...bytes('sealed')),
  origins: one('origins', ...inBucket, ...bytes('origin')),
  cleanups: one(
    'gmail_cleanups',
    ...[id, ...integers('account_id'), ['folder', 'utf8'] as const, ...numbers('uid_validity', 'uid')],
    ['message_tag', 'utf8'],
  ),
  cleanupSessions: one('gmail_cleanup_sessions', ...numbers('cleanup_id'), session),
  endpoints: one(
    'webhook_endpoints',
    ...[id, ...numbers('changed_at', 'rests_until'), ...texts('state', 'last_error'), session],
    ...bytes('sealed', 'host_tag', 'maker_tag'),
  ),
  outbox: one(
    'outbox',
    ...[id, ...numbers('endpoint_id', 'at', 'queued_at', 'next_at', 'dead_at', 'lease'), session],
    ...[...integers('seq', 'message_seq', 'attempts'), ...texts('kind', 'reason')],
  ),
  outboxContents: one(
    'outbox_contents',
    ...[...numbers('outbox_id'), session, ...integers('message_seq'), ...bytes('content')],
  ),
  operatorMail: [
    { table: 'operator_messages', columns: [id, ...numbers('received_at', 'size_bytes')], isFirstOnly: true },
    {
      table: 'operator_chunks',
      columns: [['message_id', 'bigint', 'id'], ...integers('number'), ...bytes('data')],
    },
  ],
};

/** Tables with an identity column, whose counters a copy sets. */
export const countedTables = [
  'domains',
  'api_keys',
  'passkeys',
  'gmail_mailboxes',
  'gmail_accounts',
  'gmail_cleanups',
  'webhook_endpoints',
  'outbox',
] as const;
