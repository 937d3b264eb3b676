// Where the service's socket is: in the data folder, for its owner alone. The service serves the operator's commands on
// it, and the command line calls them there.

import { join, relative } from 'node:path';

/** What every system takes as a socket's path; libuv cuts longer ones without a word. */
const socketPathMaxBytes = 103;

/** Answered and printed where service and command line are of different versions. */
export const otherVersion = 'The running service does not know the command; is it of another version?';

export const unreadAnswer =
  'The running service gave no answer that this Mayfly reads; is it of another version?';

/**
 * Path of the socket, from here or from the root, whichever is shorter.
 * @throws Error when it is too long for a socket
 */
export function operatorSocketPath(dataDir: string): string {
  const path = join(dataDir, 'mayfly.sock');
  const fromHere = relative(process.cwd(), path);
  const shorter = fromHere.length < path.length ? fromHere : path;
  if (Buffer.byteLength(shorter) <= socketPathMaxBytes) return shorter;
  throw new Error(
    `The path of the data folder ${dataDir} is too long for the control socket in it: ` +
      `with /mayfly.sock it may have ${socketPathMaxBytes} bytes, or as many from the current folder.`,
  );
}
