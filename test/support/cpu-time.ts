// Measures processor time, which is independent of other load: for tests that something is linear, with a bound far
// above its cost and far below the square.

/** For this process, in milliseconds. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
