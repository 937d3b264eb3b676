// The path of the service's socket in the data folder, which only its owner can open. The service serves the
// operator's commands on it to the command line.

import { join, relative } from 'node:path';

/** The limit of a socket's path on every system; libuv silently truncates longer ones. */
const socketPathMaxBytes = 103;

/** Names the user who gives a command, for the audit; percent-encoded. */
export const userHeader = 'x-mayfly-user';

/** Shown when service and command line have different versions. */
export const otherVersion = 'The running service does not know the command; is it a different version?';

export const unreadAnswer = 'The answer of the running service cannot be read; is it a different version?';

/**
 * Returns the path of the socket, relative or absolute, whichever is shorter.
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
