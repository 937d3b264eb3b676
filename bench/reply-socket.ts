// A socket for protocols in which one side sends and then waits for the complete reply: SMTP and HTTP without
// pipelining. Cheap by design, since the driver shares the machine with what it measures.
import net from 'node:net';
import tls from 'node:tls';

/** Returns the end of the first complete reply in `text`, or undefined if it is incomplete. */
export type FindEnd = (text: string) => number | undefined;

export interface ReplySocket {
  /** Sends, and waits for one reply; never two at a time. @throws Error when the connection fails or ends */
  exchange(bytes: Uint8Array | string): Promise<string>;
  /** Waits for an unsolicited reply, such as a greeting. */
  receive(): Promise<string>;
  close(): void;
}

interface Waiting {
  readonly resolve: (reply: string) => void;
  readonly reject: (error: Error) => void;
}

const readBufferBytes = 64 * 1024;

/** Connects to a port of this machine, by TLS if wanted, with any certificate. Bytes are read as Latin-1. */
export function openReplySocket(port: number, findEnd: FindEnd, isSecure = false): ReplySocket {
  let held = '';
  let waiting: Waiting | undefined;
  let failure: Error | undefined;

  const deliver = (): void => {
    const end = waiting === undefined ? undefined : findEnd(held);
    if (waiting === undefined || end === undefined) return;
    const { resolve } = waiting;
    waiting = undefined;
    const reply = held.slice(0, end);
    held = held.slice(end);
    resolve(reply);
  };
  const fail = (error: Error): void => {
    failure ??= error;
    waiting?.reject(failure);
    waiting = undefined;
  };

  const options = {
    host: '127.0.0.1',
    port,
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafe(readBufferBytes),
      callback(count: number, buffer: Uint8Array) {
        const text = Buffer.from(buffer.buffer, buffer.byteOffset, count).toString('latin1');
        held = held === '' ? text : held + text;
        deliver();
        return true;
      },
    },
  };
  const socket = isSecure ? tls.connect({ ...options, rejectUnauthorized: false }) : net.connect(options);
  socket.on('error', fail);
  socket.on('close', () => {
    fail(new Error(`The connection ended in the middle of a reply; so far: ${held.slice(0, 200)}`));
  });

  const receive = (): Promise<string> =>
    new Promise((resolve, reject) => {
      if (failure) {
        reject(failure);
        return;
      }
      waiting = { resolve, reject };
      deliver();
    });
  return {
    receive,
    exchange(bytes) {
      socket.write(bytes);
      return receive();
    },
    close: () => socket.destroy(),
  };
}
