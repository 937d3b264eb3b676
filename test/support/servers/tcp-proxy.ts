// The test's own TCP proxy between a client and its server, which can break at the worst moment. Closed with the test.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

import { onTestFinished } from 'vitest';

export interface TcpProxy {
  readonly port: number;
  /**
   * Cuts the next connection on which the client sends `text`, once the server responds and before the client receives
   * it.
   */
  cutAnswerTo(text: string): void;
  /** Cuts the next connection on which the client sends `text`; the server receives it later, by `forwardHeld`. */
  hold(text: string): void;
  forwardHeld(): Promise<void>;
  /** The number of connections cut on demand. */
  readonly cuts: number;
  /** Cuts all connections. */
  cutAll(): void;
  /** Sets whether new connections are cut at once. */
  refuse(isRefusing: boolean): void;
}

interface Trap {
  readonly text: string;
  readonly what: 'cut answer' | 'hold';
}

export async function startTcpProxy(serverPort: number): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let trap: Trap | undefined;
  let held: { readonly server: Socket; readonly bytes: Buffer } | undefined;
  let cuts = 0;
  let isRefusing = false;

  function join(client: Socket, server: Socket): void {
    let isCutting = false;
    client.on('data', (bytes) => {
      if (trap && bytes.includes(trap.text)) {
        const { what } = trap;
        trap = undefined;
        cuts += 1;
        if (what === 'hold') {
          held = { server, bytes };
          client.destroy();
          return;
        }
        isCutting = true;
      }
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (isCutting) {
        client.destroy();
        server.destroy();
      } else {
        client.write(bytes);
      }
    });
  }

  const listener = createServer((client) => {
    if (isRefusing) {
      client.destroy();
      return;
    }
    const server = connect(serverPort, '127.0.0.1');
    const pair = [client, server] as const;
    pairs.add(pair);
    join(client, server);
    for (const [one, other] of [pair, [server, client] as const]) {
      one.on('error', () => one.destroy());
      one.on('close', () => {
        pairs.delete(pair);
        if (held?.server !== other) other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const cutAll = (): void => {
    for (const pair of [...pairs]) for (const socket of pair) socket.destroy();
  };
  onTestFinished(() => {
    cutAll();
    held?.server.destroy();
    listener.close();
  });
  return {
    port: (listener.address() as AddressInfo).port,
    cutAnswerTo: (text) => {
      trap = { text, what: 'cut answer' };
    },
    hold: (text) => {
      trap = { text, what: 'hold' };
    },
    forwardHeld: async () => {
      if (!held) throw new Error('Nothing is held.');
      const { server, bytes } = held;
      const answered = once(server, 'data');
      server.write(bytes);
      await answered;
      server.destroy();
    },
    get cuts() {
      return cuts;
    },
    cutAll,
    refuse: (value) => {
      isRefusing = value;
    },
  };
}
