// Measures the time from end of data to the 250 while the service works at half of its capacity. The sink, driven at
// the same pace, shows the share of the machine and the driver.
import { type BenchRun, freshDataDir, scaled, withService } from './bench-run.ts';
import type { DriverResult } from './driver-job.ts';
import { type Figure, formatCount, toFigure } from './figure.ts';
import { startSmtpSink } from './floor-processes.ts';
import { runSmtpDriver } from './run-driver.ts';
import { domain } from './service-process.ts';
import { checkStored, createSessions } from './sessions.ts';
import type { Latency } from './statistics.ts';

const sessionCount = 1000;
const connections = 100;
const recipients = Array.from({ length: sessionCount }, (_, index) => `s${index}@${domain}`);
const traffic = { connections, reconnect: false, recipients, bodyBytes: [4096] };

export async function measureLatency(run: BenchRun): Promise<readonly Figure[]> {
  return withService(run, freshDataDir(run), async ({ httpPort, smtpPort }) => {
    const sessions = await createSessions(httpPort, sessionCount, (index) => `s${index}`);
    const sink = await startSmtpSink();
    const full = scaled(run, 20_000, 3000);
    await runSmtpDriver({ ...traffic, port: smtpPort, messages: full });
    const { perSecond: most } = await runSmtpDriver({ ...traffic, port: smtpPort, messages: full });
    const seconds = run.options.latencySeconds;
    const perSecond = Math.round(most / 2);
    const messages = perSecond * seconds;
    run.say(`End of data to 250 at ${formatCount(perSecond)} messages a second over ${seconds} s`);
    const service = await runSmtpDriver({ ...traffic, port: smtpPort, messages, perSecond });
    // A quarter of the time suffices: the sink stores nothing and defers nothing.
    const floor = await runSmtpDriver({ ...traffic, port: sink.port, messages: messages >> 2, perSecond });
    await sink.stop();
    await checkStored(httpPort, sessions, 2 * full + messages);
    const shape =
      `4 KB at ${formatCount(perSecond)} a second over ${seconds} s, half of the most, ${connections} kept connections, ` +
      `at random over ${formatCount(sessionCount)} sessions, own driver`;
    return toFigures(shape, service, floor);
  });
}

function toFigures(shape: string, service: DriverResult, floor: DriverResult): readonly Figure[] {
  const names: readonly (keyof Latency)[] = ['p50', 'p99', 'max'];
  return names.map((name) =>
    toFigure({
      id: `smtp-latency-${name}`,
      title: `End of data to 250, ${name}`,
      shape,
      unit: ' ms',
      service: [service.latencyMs[name]],
      floor: [floor.latencyMs[name]],
      driverLoad: floor.driverLoad,
    }),
  );
}
