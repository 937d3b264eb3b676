// Keeps tabs that are opened together from making an address each.

const lockName = 'mayfly.first-address';
/** A tab that takes longer than this, or that the browser has put to sleep, is not waited for. */
const patienceMs = 5_000;

/** Runs the work while no other tab does; at once where the browser has no locks, as it has none on plain http. */
export async function inOneTab(work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work();
  let hasBegun = false;
  try {
    await navigator.locks.request(lockName, { signal: AbortSignal.timeout(patienceMs) }, () => {
      hasBegun = true;
      return work();
    });
  } catch (error) {
    if (hasBegun) throw error;
    await work();
  }
  return undefined;
}
