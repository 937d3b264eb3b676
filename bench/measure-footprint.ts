// Measures the service's footprint: the time from its start to its line `ready`, memory and disk.
import { type BenchRun, freshDataDir, takeTurns, withService } from './bench-run.ts';
import { type Figure, toFigure } from './figure.ts';
import { startBareServer } from './floor-processes.ts';
import { measureGrowth } from './measure-growth.ts';

export async function measureFootprint(run: BenchRun): Promise<readonly Figure[]> {
  run.say('Start to ready');
  const starts = await takeTurns(
    run.options.rounds,
    () => withService(run, freshDataDir(run), async ({ readyMs }) => readyMs),
    startBare,
  );
  const start = { id: 'start', title: 'Start to ready', shape: 'empty data folder', unit: ' ms', ...starts };
  return [toFigure(start), ...(await measureGrowth(run))];
}

async function startBare(): Promise<number> {
  const startedAt = performance.now();
  const bare = await startBareServer({});
  const readyMs = performance.now() - startedAt;
  await bare.stop();
  return readyMs;
}
