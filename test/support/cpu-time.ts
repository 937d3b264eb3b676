// The processor time that work takes, which other programs on the machine do not lengthen: for tests that something is
// linear, with a bound far above what it takes and far below its square.

/** Of this process, in milliseconds. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
