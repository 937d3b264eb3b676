// Limits the connections kept open. A browser has six per server over HTTP/1.1, shared by all windows: with a stream
// open in each, a seventh window would have no connection left to read mail. Locks are shared by the windows of an
// origin.

/** For mailboxes on screen and for others: the first never wait for the second. */
const slots = { shown: 3, beside: 2 };

/** Resolves with a function that releases the slot, or null when all are taken. */
export async function takeConnectionSlot(
  kind: keyof typeof slots,
  signal: AbortSignal,
): Promise<(() => void) | null> {
  // Insecure origins have no locks; without them there is no limit.
  if (!('locks' in navigator)) return () => undefined;
  for (let slot = 0; slot < slots[kind] && !signal.aborted; slot++) {
    const release = await tryLock(`mayfly.connection.${kind}.${slot}`);
    if (release) return release;
  }
  return null;
}

function tryLock(name: string): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (!lock) {
          resolve(null);
          return undefined;
        }
        return new Promise<void>((release) => {
          resolve(release);
        });
      })
      .catch(reject);
  });
}
