// Measures the CPU time per message, in the service's and the database's processes: unlike a rate, it does not depend
// on what else the machine does.
import type { BenchRun } from './bench-run.ts';
import { type Figure, toFigure } from './figure.ts';
import { readCpuSeconds } from './process-cpu.ts';
import type { ServiceProcess } from './service-process.ts';

export interface CpuMeter {
  /** Wraps the work, recording its CPU time. */
  around<Result>(work: () => Promise<Result>): () => Promise<Result>;
  /** Figures of all turns but the first, which takeTurns() discards too. */
  toFigures(named: Pick<Figure, 'id' | 'title' | 'shape'>): readonly Figure[];
}

/** @param messages in each turn */
export function createCpuMeter(
  { postgres }: Pick<BenchRun, 'postgres'>,
  service: Pick<ServiceProcess, 'pid'>,
  messages: number,
): CpuMeter {
  const meters = [
    { name: 'service', pids: [service.pid], costs: [] as number[] },
    ...(postgres ? [{ name: 'PostgreSQL', pids: postgres.pids, costs: [] as number[] }] : []),
  ];
  return {
    around: (work) => async () => {
      const before = meters.map(({ pids }) => readCpuSeconds(...pids));
      const result = await work();
      for (const [at, { pids, costs }] of meters.entries()) {
        costs.push(((readCpuSeconds(...pids) - (before[at] ?? 0)) / messages) * 1_000_000);
      }
      return result;
    },
    toFigures: ({ id, title, shape }) =>
      meters.map(({ name, costs }) =>
        toFigure({
          id: `cpu-${name.toLowerCase()}-${id}`,
          title: `${title}: processor of the ${name}`,
          shape,
          unit: ' µs',
          service: costs.slice(1),
        }),
      ),
  };
}
