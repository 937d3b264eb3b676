// What a message costs the processor, in the service's processes and in the database's: beside a rate, which depends on
// all that the machine does meanwhile, a figure that can be compared.
import type { BenchRun } from './bench-run.ts';
import { type Figure, toFigure } from './figure.ts';
import { readCpuSeconds } from './process-cpu.ts';
import type { ServiceProcess } from './service-process.ts';

export interface CpuMeter {
  /** The same work, its cost kept. */
  around<Result>(work: () => Promise<Result>): () => Promise<Result>;
  /** Of all turns but the first, which takeTurns() throws away too. */
  toFigures(named: Pick<Figure, 'id' | 'title' | 'shape'>): readonly Figure[];
}

/** @param messages in each turn */
export function createCpuMeter(
  { postgres }: Pick<BenchRun, 'postgres'>,
  service: Pick<ServiceProcess, 'pid'>,
  messages: number,
): CpuMeter {
  const meters = [
    { name: 'service', pid: service.pid, costs: [] as number[] },
    ...(postgres ? [{ name: 'PostgreSQL', pid: postgres.pid, costs: [] as number[] }] : []),
  ];
  return {
    around: (work) => async () => {
      const before = meters.map(({ pid }) => readCpuSeconds(pid));
      const result = await work();
      for (const [at, { pid, costs }] of meters.entries()) {
        costs.push(((readCpuSeconds(pid) - (before[at] ?? 0)) / messages) * 1_000_000);
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
