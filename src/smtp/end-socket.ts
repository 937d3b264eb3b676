// How the receiver ends a socket: nicely, and for certain. Used for connections and for sockets that are refused.

import type { Socket } from 'node:net';

/** How long a peer may take to read the last reply and close its side. */
const lingerMs = 5000;

/** Counts the sockets that wait so. A peer can make no more of them than that, by never closing its side. */
export interface Lingering {
  /** False when there are too many. */
  holdLingering(): boolean;
  letGoLingering(): void;
}

/**
 * Ends our side. What the peer still sends is read and dropped, so that the last reply is not lost to a reset; a peer
 * that neither reads nor closes is cut, or it would hold the socket for ever.
 */
export function endSocket(socket: Socket, lastReply: string, lingering: Lingering): void {
  if (socket.destroyed) return;
  socket.resume();
  socket.end(lastReply, 'latin1');
  const isHeld = lingering.holdLingering();
  if (!isHeld) socket.destroySoon();
  const cut = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => {
    clearTimeout(cut);
    if (isHeld) lingering.letGoLingering();
  });
}

/**
 * Closes a socket whose peer has said that it is done, and sends nothing more: the kernel brings what was written to it.
 * There is no side of the peer's to wait for, which many close by a reset.
 */
export function closeSocket(socket: Socket, lastReply: string, lingering: Lingering): void {
  if (socket.destroyed) return;
  // In a tick of its own: a stream that is destroyed in the callback of a write makes an error of it that nobody gets.
  socket.write(lastReply, 'latin1', () => {
    process.nextTick(() => socket.destroy());
  });
  // It has not read what came before: it gets as long as any other.
  if (socket.writableLength > 0) endSocket(socket, '', lingering);
}
