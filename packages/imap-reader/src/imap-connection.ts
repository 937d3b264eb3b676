// One connection to an account's server, on which every exchange has a time limit and a byte limit. Nothing
// transferred is logged.

import type { ImapFlow } from 'imapflow';

import { PollFailure } from './classify-failure.ts';

/** Bodies are fetched in pieces of this size. */
export const bodyPieceBytes = 256 * 1024;
/** The parser closes the connection at larger literals; no response that we request comes close. */
const literalMaxBytes = 1024 * 1024;
const lineMaxBytes = 2 * 1024 * 1024;
const responseMaxBytes = 4 * 1024 * 1024;
/** Per exchange, for all its responses. */
const exchangeMaxBytes = 4 * 1024 * 1024;
const lookMs = 250;

/** How an account is reached. */
export interface ImapAccount {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls' | 'none';
  /** Login name, usually the address. */
  readonly user: string;
  /** When null: by SPECIAL-USE, \All, else INBOX. */
  readonly inboxFolder: string | null;
  /** When null: by SPECIAL-USE, \Junk, else none. */
  readonly spamFolder: string | null;
}

export type ImapLogin =
  { readonly user: string; readonly pass: string } | { readonly user: string; readonly accessToken: string };

export interface ImapConnectionOptions {
  readonly account: Pick<ImapAccount, 'host' | 'port' | 'security'>;
  readonly login: ImapLogin;
  readonly exchangeMs: number;
  readonly certificateAuthorities?: string | undefined;
}

export interface ImapConnection {
  readonly client: ImapFlow;
  /**
   * UIDNEXT as reported when the folder was opened; 0 if it was not. The client's own value follows every UID the
   * server mentions, even of messages that do not exist, and mail below it would be skipped.
   */
  uidNext: number;
  /** Runs one exchange. Beyond its limits the connection is closed and the promise rejects. */
  run<T>(work: (client: ImapFlow) => Promise<T>): Promise<T>;
  /** Returns the bytes received since the last call. */
  takeBytes(): number;
  /** Calls the listener when the server reports messages or the connection ends. At most one listener. */
  onNews(listener: () => void): void;
  isClosed(): boolean;
  close(): void;
}

/** Connects and logs in; the signal closes the connection. Rejects with errors that classifyFailure understands. */
export async function openConnection(
  options: ImapConnectionOptions,
  signal?: AbortSignal,
): Promise<ImapConnection> {
  // Loaded only when there is an account, because it needs many modules and 30 MB.
  const { ImapFlow: Flow } = await import('imapflow');
  const client = new Flow(toFlowOptions(options));
  let fault: unknown;
  let listener = (): void => undefined;
  client.on('error', (error: unknown) => {
    fault ??= error;
  });
  client.on('close', () => {
    signal?.removeEventListener('abort', close);
    listener();
  });
  client.on('exists', () => {
    listener();
  });
  const close = (): void => {
    client.close();
  };
  signal?.addEventListener('abort', close, { once: true });
  const limits = { exchangeMs: options.exchangeMs };
  const connection: ImapConnection = {
    client,
    uidNext: 0,
    async run(work) {
      try {
        return await withinLimits(client, limits, work(client));
      } catch (error) {
        // The cause is more informative than the fact that the connection ended.
        throw fault ?? error;
      }
    },
    takeBytes: () => client.stats(true).received,
    onNews: (next) => {
      listener = next;
    },
    isClosed: () => client.isClosed,
    close,
  };
  try {
    signal?.throwIfAborted();
    await connection.run((flow) => flow.connect());
  } catch (error) {
    close();
    throw error;
  }
  return connection;
}

function toFlowOptions({ account, login, exchangeMs, certificateAuthorities }: ImapConnectionOptions) {
  const { host, port, security } = account;
  return {
    host,
    port,
    secure: security === 'tls',
    doSTARTTLS: security === 'tls' ? undefined : security === 'starttls',
    auth: login,
    logger: false as const,
    // Gmail asks clients to identify themselves; the program's name is enough.
    clientInfo: { name: 'Mayfly', version: false, vendor: false, 'support-url': false } as const,
    // The caller starts IDLE itself, and its watchdog detects half-open connections.
    disableAutoIdle: true,
    disableCompression: true,
    // These extensions are unused and make servers send more.
    disableAutoEnable: true,
    disableIMAP4rev2: true,
    connectionTimeout: exchangeMs,
    greetingTimeout: exchangeMs,
    maxLineLength: lineMaxBytes,
    maxLiteralSize: literalMaxBytes,
    maxResponseSize: responseMaxBytes,
    tls: {
      minVersion: 'TLSv1.2',
      ...(certificateAuthorities === undefined ? {} : { ca: certificateAuthorities }),
    } as const,
  };
}

async function withinLimits<T>(
  client: ImapFlow,
  { exchangeMs }: { readonly exchangeMs: number },
  work: Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const { received } = client.stats();
  return new Promise((resolve, reject) => {
    const end = (failure: PollFailure): void => {
      reject(failure);
      client.close();
    };
    const timer = setInterval(() => {
      if (performance.now() - startedAt > exchangeMs) {
        end(
          new PollFailure('failing', `The server did not answer within ${Math.ceil(exchangeMs / 1000)} s.`),
        );
      } else if (client.stats().received - received > exchangeMaxBytes) {
        end(new PollFailure('broken', 'The server sent more than was requested.'));
      }
    }, lookMs);
    work.then(resolve, reject).finally(() => {
      clearInterval(timer);
    });
  });
}
