// Reads one line from a socket, within a bound. Used by both ends of the control socket.

import type { Socket } from 'node:net';

import { controlLineMaxBytes } from './control-protocol.ts';

/** The first line without its end. Rejects when the socket closes before it, or when it is too long. */
export function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const take = (piece: string): void => {
      text += piece;
      const end = text.indexOf('\n');
      if (end >= 0) {
        // What follows is read and dropped, so that the other end's close is noticed.
        socket.off('data', take).resume();
        resolve(text.slice(0, end));
      } else if (text.length > controlLineMaxBytes) socket.destroy(new Error('The line is too long.'));
    };
    socket.setEncoding('utf8').on('data', take);
    socket.once('error', reject);
    const breakOff = (): void => {
      reject(new Error('The connection closed before a whole line came.'));
    };
    socket.once('end', breakOff).once('close', breakOff);
  });
}
