// How the receiver ends a socket: nicely, and for certain. Used for connections and for sockets that are refused.

import type { Socket } from 'node:net';

/** How long a peer may take to read the last reply and close its side. */
const lingerMs = 5000;

/**
 * Ends our side. What the peer still sends is read and dropped, so that the last reply is not lost to a reset; a peer
 * that neither reads nor closes is cut, or it would hold the socket for ever.
 */
export function endSocket(socket: Socket, lastReply = ''): void {
  if (socket.destroyed) return;
  socket.resume();
  socket.end(lastReply, 'latin1');
  const cut = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => {
    clearTimeout(cut);
  });
}
