// Opens many event streams in one process, each a bare socket, and reports only when an event came and for which
// session. Used by measure-live.ts.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface OpenStreams {
  /** Starts or stops reading the first `count` streams. */
  setReading(isReading: boolean, count: number): void;
  close(): void;
}

const openedAtOnce = 100;
const eventMark = 'event: message.received';

/** Resolves when each stream's first bytes have arrived. `onEvent` gets the token's index in the list. */
export async function openStreams(
  port: number,
  tokens: readonly string[],
  onEvent: (index: number) => void,
): Promise<OpenStreams> {
  const sockets: Socket[] = [];
  for (let from = 0; from < tokens.length; from += openedAtOnce) {
    const opened = await Promise.all(
      tokens.slice(from, from + openedAtOnce).map((token, offset) =>
        openOne(port, token, () => {
          onEvent(from + offset);
        }),
      ),
    );
    sockets.push(...opened);
  }
  return {
    setReading: (isReading, count) => {
      for (const socket of sockets.slice(0, count)) {
        if (isReading) socket.resume();
        else socket.pause();
      }
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function openOne(port: number, token: string, onEvent: () => void): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  if (!first.toString().startsWith('HTTP/1.1 200 ')) throw new Error(`No stream: ${first.toString()}`);
  socket.on('data', (piece: Buffer) => {
    for (let at = piece.indexOf(eventMark); at >= 0; at = piece.indexOf(eventMark, at + 1)) onEvent();
  });
  return socket;
}
