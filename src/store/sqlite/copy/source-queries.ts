// The queries that read a SQLite store in order to copy it: for each step, the selection and the key it advances by.
// Only the rows of ended sessions are copied, not their mail, which is unreadable. Used by sqlite-source.ts.

import type { TransferCursor, TransferStep } from '../../transfer/transfer-rows.ts';
import { toRowId } from '../rows/message-row-id.ts';

export interface SourceQuery {
  /** Up to the WHERE, exclusive. */
  readonly select: string;
  /** A further condition. */
  readonly condition?: string;
  /** Columns of the table, in the order of the index used; each is selected under the name beside it. */
  readonly keys: readonly (readonly [column: string, name: string])[];
  /** Before the first row. */
  readonly start: TransferCursor;
}

const span = toRowId(1, 0);
const dayMs = 86_400_000;
const bucket = `s.latest_end_at / ${dayMs} + 1 AS bucket`;
/** Joins the live session of a row of messages, notes or events. CROSS JOIN fixes the join order. */
const ofRow = (id: string): string =>
  `CROSS JOIN sessions s ON s.id = ${id} / ${span} CROSS JOIN session_states t ON t.session_id = s.id`;
const ofSession = (id: string): string =>
  `CROSS JOIN sessions s ON s.id = ${id} CROSS JOIN session_states t ON t.session_id = s.id`;
const isLive = 't.ended_at IS NULL AND s.salt IS NOT NULL';
/** Stands for a session that no longer exists; '' would be the operator. */
const noKey = "x'00'";

export const bucketsQuery = `SELECT DISTINCT latest_end_at / ${dayMs} + 1 FROM sessions`;

function whole(table: string, ...keys: readonly string[]): Pick<SourceQuery, 'select' | 'keys'> {
  return { select: `SELECT * FROM ${table}`, keys: keys.map((key) => [key, key] as const) };
}

export const sourceQueries: Readonly<Record<Exclude<TransferStep, 'operatorMail'>, SourceQuery>> = {
  domains: { ...whole('domains', 'id'), start: [0] },
  keys: { ...whole('api_keys', 'id'), start: [0] },
  passkeys: { ...whole('passkeys', 'id'), start: [0] },
  keyFingerprints: { ...whole('key_fingerprints', 'name'), start: [''] },
  blocks: { ...whole('blocks', 'kind', 'value'), start: ['', ''] },
  records: { ...whole('records', 'name'), start: [''] },
  inboundRoutes: { ...whole('inbound_routes', 'name'), start: [''] },
  inboundProofs: { ...whole('inbound_proofs', 'route', 'id'), start: ['', Buffer.alloc(0)] },
  statistics: { ...whole('statistics', 'span', 'at', 'name'), start: ['', 0, ''] },
  audit: { ...whole('audit', 'id'), start: [''] },
  refusals: { ...whole('refusals', 'at', 'network', 'stage', 'cause'), start: [0, '', '', ''] },
  mailboxes: { ...whole('gmail_mailboxes', 'id'), start: [0] },
  accounts: { ...whole('gmail_accounts', 'id'), start: [0] },
  cursors: { ...whole('gmail_cursors', 'account_id', 'folder'), start: [0, ''] },
  sessions: {
    select: `SELECT s.*, t.*, ${bucket}, t.ended_at IS NOT NULL AS is_over
      FROM sessions s CROSS JOIN session_states t ON t.session_id = s.id`,
    keys: [['s.id', 'id']],
    start: [0],
  },
  addresses: {
    select: `SELECT a.*, coalesce(s.key, ${noKey}) AS key FROM addresses a LEFT JOIN sessions s ON s.id = a.session_id`,
    keys: [['a.address_key', 'address_key']],
    start: [''],
  },
  messages: {
    select: `SELECT m.*, c.meta, c.raw, s.key, ${bucket}, m.id % ${span} AS seq, 0 AS number
      FROM messages m CROSS JOIN contents c ON c.id = m.content_id ${ofRow('m.id')}`,
    condition: isLive,
    keys: [['m.id', 'id']],
    start: [0],
  },
  chunks: {
    // Chunks of large messages have their own ids, below 0; those without a message are garbage.
    select: `SELECT c.*, m.id AS id, s.key, ${bucket} FROM chunks c LEFT JOIN staged g ON g.chunks_id = c.message_id
      CROSS JOIN messages m ON m.id = coalesce(g.message_id, c.message_id) ${ofRow('m.id')}`,
    condition: isLive,
    keys: [
      ['c.message_id', 'message_id'],
      ['c.number', 'number'],
    ],
    start: [Number.MIN_SAFE_INTEGER, 0],
  },
  notes: {
    select: `SELECT n.*, s.key, ${bucket}, n.message_id % ${span} AS seq FROM notes n ${ofRow('n.message_id')}`,
    condition: isLive,
    keys: [['n.message_id', 'message_id']],
    start: [0],
  },
  events: {
    select: `SELECT e.*, s.key, ${bucket}, e.id % ${span} AS seq FROM events e ${ofRow('e.id')}`,
    condition: isLive,
    keys: [['e.id', 'id']],
    start: [0],
  },
  attempts: {
    select: `SELECT a.*, s.key, ${bucket} FROM attempts a ${ofSession('a.session_id')}`,
    condition: isLive,
    keys: [
      ['a.session_id', 'session_id'],
      ['a.at', 'at'],
      ['a.number', 'number'],
    ],
    start: [0, 0, 0],
  },
  origins: {
    select: `SELECT o.*, s.key, ${bucket} FROM origins o ${ofSession('o.session_id')}`,
    condition: isLive,
    keys: [
      ['o.session_id', 'session_id'],
      ['o.origin', 'origin'],
    ],
    start: [0, Buffer.alloc(0)],
  },
  cleanups: { ...whole('gmail_cleanups', 'id'), start: [0] },
  cleanupSessions: {
    select: `SELECT w.*, s.key FROM gmail_cleanup_sessions w ${ofSession('w.session_id')}`,
    condition: isLive,
    keys: [
      ['w.session_id', 'session_id'],
      ['w.cleanup_id', 'cleanup_id'],
    ],
    start: [0, 0],
  },
  endpoints: {
    // The first is the operator's, which every store has.
    select: `SELECT e.*, coalesce(s.key, ${noKey}) AS key FROM webhook_endpoints e LEFT JOIN sessions s ON s.id = e.session_id`,
    keys: [['e.id', 'id']],
    start: [1],
  },
  outbox: {
    select: `SELECT o.*, coalesce(s.key, ${noKey}) AS key FROM outbox o LEFT JOIN sessions s ON s.id = o.session_id`,
    keys: [['o.id', 'id']],
    start: [0],
  },
  outboxContents: {
    select: `SELECT c.*, coalesce(s.key, ${noKey}) AS key
      FROM outbox_contents c LEFT JOIN sessions s ON s.id = c.session_id`,
    keys: [['c.outbox_id', 'outbox_id']],
    start: [0],
  },
};

/** One row that changes with every delivery, read, session, webhook and setting. */
export const fingerprintQuery = `SELECT
  (SELECT count(*) || ',' || total(seq) || ',' || total(version) || ',' || total(expires_at % 1000003) || ',' ||
    count(ended_at) || ',' || coalesce(max(session_id), 0) FROM session_states) || ';' ||
  (SELECT count(*) || ',' || coalesce(max(id), 0) || ',' || total(attempts) || ',' || total(lease) || ',' ||
    count(dead_at) FROM outbox) || ';' ||
  (SELECT count(*) || ',' || count(free_at) FROM addresses) || ';' ||
  (SELECT group_concat(name || is_active || quarantine_ms || discards_unknown || refuses_dmarc_reject ||
    takes_plus_tags)
    FROM domains) || ';' ||
  coalesce((SELECT group_concat(email || revision || health || usage_bytes) FROM gmail_accounts), '') || ';' ||
  coalesce((SELECT group_concat(name || coalesce(revoked_at, 0) || uses) FROM api_keys), '') || ';' ||
  (SELECT count(*) || ',' || total(id) || ',' || total(counter) FROM passkeys) || ';' ||
  (SELECT count(*) || ',' || total(created_at) FROM blocks) || ';' ||
  (SELECT count(*) || ',' || total(changed_at) FROM records) || ';' ||
  (SELECT count(*) || ',' || total(created_at) FROM inbound_routes) || ';' ||
  (SELECT count(*) || ',' || count(outcome = 'begun' OR NULL) || ',' || coalesce(max(at), 0) FROM audit) || ';' ||
  (SELECT count(*) || ',' || total(ends_at) || ',' || total(is_done) FROM inbound_proofs) || ';' ||
  coalesce((SELECT hex(key) FROM sessions ORDER BY id DESC LIMIT 1), '')`;
