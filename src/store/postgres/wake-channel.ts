// Notifies other nodes of sessions with news, and receives their notifications, by LISTEN and NOTIFY. It runs outside
// the deliveries' transactions and collects some milliseconds of news, because a NOTIFY locks the whole database at its
// commit. It carries only names of sessions; a lost notification merely delays the news. Made by open-postgres-store.

import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type pg from 'pg';

import { ask, connectAlone, type Connections, cut } from '#postgres/connections';
import type { SessionKey } from '../../domain/session.ts';
import type { WakeChannel, WakeListener } from '../stores.ts';
import { toKey } from './session-row.ts';

export interface WakeChannelOptions extends WakeListener {
  readonly connections: Connections;
  /** For the listening connection; not through a pooler in transaction mode. */
  readonly listenUrl: string;
  /** Called when news begins or ceases to be received. */
  readonly onListening: (isListening: boolean) => void;
}

const channel = 'mayfly_news';
const intervalMs = 5;
/** PostgreSQL accepts fewer than 8,000 bytes: our name, then keys of equal length. */
const nodeNameLength = 8;
const keyLength = 22;
const keysMax = Math.floor((7900 - nodeNameLength) / keyLength);
/** With more sessions waiting, the other nodes check all of theirs. */
const waitingMax = 50 * keysMax;
const allSessions = '*';
const reconnectMs = 250;
const pingMs = 5000;

export function createWakeChannel(options: WakeChannelOptions): WakeChannel {
  const nodeName = randomBytes(6).toString('base64url');
  const announcer = createAnnouncer(options, nodeName);
  const listener = listen(options, nodeName);
  return {
    announce: announcer.announce,
    close: async () => {
      await Promise.all([announcer.close(), listener.close()]);
    },
  };
}

function createAnnouncer({ connections, onError }: WakeChannelOptions, nodeName: string) {
  const waiting = new Set<string>();
  let isForAll = false;
  let hasFailed = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  function take(): string {
    if (isForAll) {
      isForAll = false;
      waiting.clear();
      return allSessions;
    }
    const taken = [...waiting].slice(0, keysMax);
    for (const name of taken) waiting.delete(name);
    return taken.join('');
  }

  async function send(): Promise<void> {
    try {
      // No flush to disk is needed, since losing it loses no data.
      const notify = `NOTIFY ${channel}, '${nodeName}${take()}'`;
      await connections.script(`SET LOCAL synchronous_commit = off; ${notify}`);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onError(error);
      hasFailed = true;
      // After a failed notification the next one covers all sessions.
      isForAll = true;
    }
  }

  function schedule(): void {
    if (isClosed || sending || timer || (waiting.size === 0 && !isForAll)) return;
    const fire = (): void => {
      timer = undefined;
      sending = send().then(() => {
        sending = undefined;
        schedule();
      });
    };
    timer = setTimeout(fire, hasFailed ? reconnectMs : intervalMs);
  }

  return {
    announce: (key: SessionKey): void => {
      if (waiting.size >= waitingMax) isForAll = true;
      else waiting.add(Buffer.from(key).toString('base64url'));
      schedule();
    },
    /** Sends what is waiting, once: an unreachable database must not delay closing. */
    close: async (): Promise<void> => {
      isClosed = true;
      clearTimeout(timer);
      await sending;
      while (!hasFailed && (waiting.size > 0 || isForAll)) await send();
    },
  };
}

function listen(options: WakeChannelOptions, nodeName: string): { close(): Promise<void> } {
  const closing = new AbortController();
  const { signal } = closing;

  function take(payload: string): void {
    if (payload.startsWith(nodeName)) return;
    const names = payload.slice(nodeNameLength);
    if (names === allSessions) {
      options.onGap();
      return;
    }
    for (let at = 0; at + keyLength <= names.length; at += keyLength) {
      options.onWake(toKey(Buffer.from(names.slice(at, at + keyLength), 'base64url')));
    }
  }

  async function run(): Promise<void> {
    let isFirst = true;
    while (!signal.aborted) {
      try {
        await listenOnce(options, signal, {
          take,
          onListening: () => {
            options.onListening(true);
            if (!isFirst) options.onGap();
            isFirst = false;
          },
        });
      } catch (error) {
        if (!signal.aborted) options.onError(error);
      } finally {
        options.onListening(false);
      }
      await rest(reconnectMs, signal);
    }
  }

  const running = run();
  return {
    close: () => {
      closing.abort();
      return running;
    },
  };
}

/** Resolves when `signal` aborts; rejects when the connection is lost. */
async function listenOnce(
  { listenUrl }: WakeChannelOptions,
  signal: AbortSignal,
  { take, onListening }: { take: (payload: string) => void; onListening: () => void },
): Promise<void> {
  const client = await connectAlone(listenUrl);
  try {
    client.on('notification', ({ payload }) => {
      take(payload ?? '');
    });
    await ask(client, `LISTEN ${channel}`, pingMs);
    onListening();
    // Only a query detects a peer that vanished silently.
    while (!signal.aborted) {
      await ask(client, 'SELECT 1', pingMs);
      await rest(pingMs, signal, client);
    }
  } finally {
    await end(client);
  }
}

/** Ends early when `signal` aborts or the connection ends. */
function rest(ms: number, signal: AbortSignal, client?: pg.Client): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      client?.removeListener('end', stop);
      resolve();
    };
    const timer = setTimeout(stop, ms);
    signal.addEventListener('abort', stop);
    client?.once('end', stop);
    if (signal.aborted) stop();
  });
}

async function end(client: pg.Client): Promise<void> {
  // The connection may be closed already, or the server may never respond.
  await Promise.race([Promise.allSettled([client.end()]), delay(500, undefined, { ref: false })]);
  cut(client);
}
