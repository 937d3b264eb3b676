// Defines every metric by name. Created once by app.ts and passed to the parts that count; a part without it counts in
// a set that is never read. Names are an interface for dashboards and alerts. No label has a value chosen by strangers,
// but for the twenty domains that sent most today.

import { MetricRegistry } from '#telemetry/metric-registry';
import type { Traces } from '#telemetry/traces';

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

export interface Metrics extends ReturnType<typeof createMetrics> {
  /**
   * The destination of spans; absent while traces are off. Kept here because any part with a histogram may have a span.
   */
  readonly traces?: Traces;
}

export function createMetrics() {
  const registry = new MetricRegistry();
  return {
    registry,
    ...createMailMetrics(registry),
    ...createReaderMetrics(registry),
    ...createStoreMetrics(registry),
    ...createMachineMetrics(registry),
  };
}

/** Returns the text of `/metrics`, of type `metricsContentType`. */
export function renderMetrics({ registry }: Metrics): Promise<string> {
  return registry.render();
}

function createMailMetrics(of: MetricRegistry) {
  return {
    messages: of.counter(
      'mayfly_messages_total',
      'Messages by source, outcome (stored, refused, deferred) and reason.',
      ...['source', 'outcome', 'reason'],
    ),
    messageBytes: of.counter('mayfly_message_bytes_total', 'Bytes of messages stored.', 'source'),
    receiveSeconds: of.histogram('mayfly_receive_seconds', 'From the end of a message to its answer.'),
    smtpConnections: of.counter(
      'mayfly_smtp_connections_total',
      'SMTP connections: accepted, or the reason why they were refused; evicted for a newcomer.',
      'outcome',
    ),
    smtpOpen: of.gauge('mayfly_smtp_connections', 'SMTP connections open.'),
    smtpInFlightBytes: of.gauge('mayfly_smtp_in_flight_bytes', 'Bytes received of incomplete messages.'),
    smtpRecipients: of.counter(
      'mayfly_smtp_recipients_total',
      'Recipients named by senders, by answer (accepted, invalid, unknown, foreign, full, failed, limited).',
      'outcome',
    ),
    smtpCommandsRefused: of.counter(
      'mayfly_smtp_commands_refused_total',
      'Commands refused and dialogues ended before a recipient was accepted, by stage (helo, tls, auth, mail, rcpt, ' +
        'command) and reply.',
      ...['stage', 'reason'],
    ),
    smtpAuthentications: of.counter(
      'mayfly_smtp_authentications_total',
      'AUTH commands that gave a user name and a password, by answer (accepted, wrong, limited, failed).',
      'outcome',
    ),
    smtpHandshakes: of.counter('mayfly_smtp_tls_handshakes_total', 'STARTTLS handshakes.', 'outcome'),
    smtpCertificateEnd: of.gauge(
      'mayfly_smtp_certificate_not_after_seconds',
      'When the certificate in use ends, seconds since 1970; 0 without one.',
    ),
    ...createTodayMetrics(of),
    ...createCertificateMetrics(of),
    inboundRequests: of.counter(
      'mayfly_inbound_requests_total',
      'Requests by which other services hand over mail, by service and outcome: stored, refused, deferred, ' +
        'confirmed, or unauthorized, malformed.',
      ...['provider', 'outcome'],
    ),
    gmailAccounts: of.gauge('mayfly_gmail_accounts', 'Gmail accounts by state.', 'state'),
    gmailLag: of.gauge(
      'mayfly_gmail_lag_seconds',
      'Seconds since the account was last known to be read completely.',
      'account',
    ),
  };
}

/** From the statistics in the store, so that every node shows the same, across restarts. */
function createTodayMetrics(of: MetricRegistry) {
  return {
    todayReceived: of.gauge('mayfly_today_received', 'Messages received today (UTC), by all nodes.'),
    todayBytes: of.gauge('mayfly_today_received_bytes', 'Bytes of messages received today, by all nodes.'),
    todayRefused: of.gauge(
      'mayfly_today_refused',
      'Messages, recipients and connections refused today, by all nodes.',
    ),
    todayDeferred: of.gauge('mayfly_today_deferred', 'Messages deferred for a retry today, by all nodes.'),
    todayCauses: of.gauge(
      'mayfly_today_causes',
      'Refusals and deferrals today by cause, by all nodes.',
      'cause',
    ),
    todaySenders: of.gauge(
      'mayfly_today_senders',
      "Messages received today by the sender's domain, by all nodes: the twenty that sent most; empty for bounces, " +
        '* for the others.',
      'domain',
    ),
    todaySessions: of.gauge('mayfly_today_sessions', 'Sessions created today, by all nodes.'),
  };
}

function createCertificateMetrics(of: MetricRegistry) {
  return {
    httpCertificateEnd: of.gauge(
      'mayfly_http_certificate_not_after_seconds',
      'When the certificate of HTTPS ends, seconds since 1970; 0 without one.',
    ),
    certificateOrders: of.counter(
      'mayfly_certificate_orders_total',
      'Orders of this node at the ACME server, by outcome: issued, rehearsed at the staging server, or why they failed.',
      'outcome',
    ),
    certificateManaged: of.gauge(
      'mayfly_certificate_managed',
      '1 while the certificate comes from an ACME server; 0 otherwise.',
    ),
    certificateFailures: of.gauge(
      'mayfly_certificate_failures',
      'Failed attempts in a row to obtain a certificate; 0 while none is missing.',
    ),
    certificateFilesRefused: of.gauge(
      'mayfly_certificate_files_refused',
      '1 while files of a certificate cannot be used, and the one of before is; 0 otherwise.',
    ),
  };
}

function createReaderMetrics(of: MetricRegistry) {
  return {
    httpRequests: of.counter('mayfly_http_requests_total', 'HTTP requests answered.', 'route', 'status'),
    httpSeconds: of.histograms(
      'mayfly_http_request_seconds',
      'From a request to the end of its answer, without requests that wait for news.',
      'route',
    ),
    httpOpen: of.gauge('mayfly_http_connections', 'HTTP connections open.'),
    httpRefused: of.counter(
      'mayfly_http_refused_total',
      'Connections refused or cut: caps by address and in total, idle ones that made room, too many pipelined ' +
        'requests, clients that read nothing; and answers not begun because others are unread.',
      'reason',
    ),
    httpUnreadBytes: of.gauge('mayfly_http_unread_bytes', 'Bytes of answers that clients have not read yet.'),
    httpRejected: of.counter('mayfly_http_rejected_total', 'Connections without a valid HTTP request.'),
    liveReaders: of.gauge('mayfly_live_readers', 'Event streams and waiting requests open.', 'kind'),
    eventSeconds: of.histogram(
      'mayfly_event_seconds',
      'From the commit of a message to its event on an open stream.',
    ),
    webhookTries: of.counter('mayfly_webhook_tries_total', 'Webhooks sent, by outcome.', 'outcome'),
    pushTries: of.counter(
      'mayfly_push_tries_total',
      'Push messages to browsers, by outcome (sent, gone, refused, failed).',
      'outcome',
    ),
    webhooksQueued: of.gauge(
      'mayfly_webhooks_queued',
      'Webhooks that wait, and dead ones; up to 10000.',
      'state',
    ),
    pushWaiting: of.gauge('mayfly_push_waiting', 'Sessions with a push message to send.'),
    parserFaults: of.counter('mayfly_parser_faults_total', 'Parses given up, by cause.', 'cause'),
  };
}

function createStoreMetrics(of: MetricRegistry) {
  return {
    sessionsLive: of.gauge(
      'mayfly_sessions_live',
      'Sessions that have not ended; counted at most every 15 s.',
    ),
    sessionsCreated: of.counter('mayfly_sessions_created_total', 'Sessions lent.'),
    commitSeconds: of.histogram('mayfly_store_commit_seconds', 'A commit with its fsync.'),
    storeWrites: of.counter('mayfly_store_writes_total', 'Writes committed; many share a commit.'),
    storeRollbacks: of.counter(
      'mayfly_store_rollbacks_total',
      'Commits that failed and whose writes were retried one by one.',
    ),
    storeWaiting: of.gauge('mayfly_store_waiting_writes', 'Writes waiting for a commit.'),
    checkpointSeconds: of.histograms(
      'mayfly_store_checkpoint_seconds',
      'Checkpoints of the WAL, beside the writer or while it is paused.',
      'mode',
    ),
    walBytes: of.gauge('mayfly_store_wal_bytes', 'Size of the WAL.'),
    databaseBytes: of.gauge('mayfly_store_database_bytes', 'Size of the database file.'),
    freeBytes: of.gauge('mayfly_store_free_bytes', 'Free pages within the database file.'),
    backupAt: of.gauge(
      'mayfly_backup_made_seconds',
      'When the last backup was made and verified, seconds since 1970; 0 for none.',
    ),
    nodes: of.gauge('mayfly_nodes', 'Processes that share the store: alive, or gone within a day.', 'state'),
    sweepRounds: of.counter('mayfly_sweep_rounds_total', 'Rounds of the sweep.', 'outcome'),
    sweepEnded: of.counter('mayfly_sweep_sessions_ended_total', 'Sessions that the sweep ended.'),
    sweepAt: of.gauge('mayfly_sweep_last_success_seconds', 'When it last succeeded, seconds since 1970.'),
  };
}

function createMachineMetrics(of: MetricRegistry) {
  return {
    build: of.gauge('mayfly_build_info', 'Always 1.', 'version', 'node'),
    ready: of.gauge('mayfly_ready', '1 while /readyz reports that the service is ready.'),
    loopLag: of.histogram('mayfly_loop_lag_seconds', 'Lateness of the event loop, measured every 50 ms.'),
    diskFree: of.gauge('mayfly_disk_free_bytes', 'Free disk space for the data folder.'),
    diskLow: of.gauge('mayfly_disk_low', '1 while no mail is accepted for lack of disk space.'),
    traceSpans: of.counter(
      'mayfly_trace_spans_total',
      'Spans by outcome: sent, refused by the collector, or dropped because too many were waiting.',
      'outcome',
    ),
    logLines: of.counter('mayfly_log_lines_total', 'Lines logged, by level.', 'level'),
    cpu: of.counter('process_cpu_seconds_total', 'User and system time.'),
    startedAt: of.gauge('process_start_time_seconds', 'Start of the process, seconds since 1970.'),
    residentBytes: of.gauge('process_resident_memory_bytes', 'Resident memory.'),
    heapBytes: of.gauge('nodejs_heap_size_used_bytes', 'Heap of the main thread in use.'),
    externalBytes: of.gauge('nodejs_external_memory_bytes', 'Memory of buffers and the like.'),
    openFiles: of.gauge('process_open_fds', 'Open file descriptors, where /proc is available.'),
  };
}
