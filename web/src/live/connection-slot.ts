// Leave to keep a connection open. A browser has six to one server over HTTP/1.1, shared by all windows: were each
// window's stream open, a seventh would find no connection to read mail over. Locks are shared by windows of an origin.

/** For mailboxes that windows show, and for those beside them: the first never wait for the second. */
const slots = { shown: 3, beside: 2 };

/** Resolves with what gives the slot back, null when all are taken. */
export async function takeConnectionSlot(
  kind: keyof typeof slots,
  signal: AbortSignal,
): Promise<(() => void) | null> {
  // Only secure origins have locks; without them every window takes its chance.
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
