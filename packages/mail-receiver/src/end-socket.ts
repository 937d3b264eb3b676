// Closes sockets of the receiver: gracefully where the peer cooperates, forcibly where it does not.

import type { Socket } from 'node:net';

/** How long a peer may take to read the last reply and close its side. */
const lingerMs = 5000;

/** Limits how many sockets wait for their peers to close. */
export interface Lingering {
  /** Returns false when too many wait already. */
  holdLingering(): boolean;
  releaseLingering(): void;
}

/**
 * Ends our side and discards what the peer still sends, so that a reset does not destroy the last reply. A peer that
 * neither reads nor closes is cut off; otherwise it would hold the socket for ever.
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
    if (isHeld) lingering.releaseLingering();
  });
}

/**
 * Closes a socket whose peer has finished (after QUIT): the kernel delivers what was written. Waits for nothing,
 * since many such peers close with a reset.
 */
export function closeSocket(socket: Socket, lastReply: string, lingering: Lingering): void {
  if (socket.destroyed) return;
  // In a later tick: destroying a stream in the callback of its write creates an error that has no listener.
  socket.write(lastReply, 'latin1', () => {
    process.nextTick(() => socket.destroy());
  });
  // The peer has not read everything yet: give it the usual time.
  if (socket.writableLength > 0) endSocket(socket, '', lingering);
}
