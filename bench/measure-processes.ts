// Measures ingest by one, two and four processes of one machine over one database (`serve --processes N`), in turns,
// so that disturbances of the machine affect all alike. The floor of each figure is the single process of the same
// round.
import { type BenchRun, freshDataDir, scaled, startOn } from './bench-run.ts';
import { createCpuMeter } from './cpu-meter.ts';
import { type Figure, toFigure } from './figure.ts';
import { runSmtpSource } from './run-driver.ts';
import { domain, type ServiceProcess } from './service-process.ts';
import { type BenchSession, checkStored, createSessions } from './sessions.ts';

const counts = [1, 2, 4] as const;
const connections = 100;
const fullMessages = 15_000;

interface Contender {
  readonly processes: number;
  readonly service: ServiceProcess;
  readonly sessions: readonly BenchSession[];
  readonly rates: number[];
  readonly send: () => Promise<number>;
  readonly toCpuFigures: (named: Pick<Figure, 'id' | 'title' | 'shape'>) => readonly Figure[];
}

export async function measureProcesses(run: BenchRun): Promise<readonly Figure[]> {
  const messages = scaled(run, fullMessages, 1000);
  const contenders: Contender[] = [];
  for (const processes of counts) contenders.push(await prepare(run, processes, messages));
  run.say(`Ingest by ${counts.join(', ')} processes`);
  for (let round = 0; round <= run.options.rounds; round += 1) {
    for (const { rates, send } of contenders) rates.push(await send());
  }
  for (const { service, sessions } of contenders) {
    await checkStored(service.httpPort, sessions, messages * (run.options.rounds + 1));
    await service.stop();
  }
  const [alone] = contenders;
  return contenders.flatMap(({ processes, rates, toCpuFigures }) => {
    const named = {
      id: `processes-${processes}`,
      title: `SMTP ingest, 4 KB, --processes ${processes}`,
      shape: `${connections} kept connections, each to the next of as many sessions, smtp-source; floor: one process`,
    };
    const floor = alone && processes > 1 ? { floor: alone.rates.slice(1) } : {};
    return [toFigure({ ...named, unit: '/s', service: rates.slice(1), ...floor }), ...toCpuFigures(named)];
  });
}

/** Each on its own database, with the others idle. */
async function prepare(run: BenchRun, processes: number, messages: number): Promise<Contender> {
  const service = await startOn(run, freshDataDir(run), { processes });
  const sessions = await createSessions(service.httpPort, messages, (index) => `${index + 1}a`);
  const cpu = createCpuMeter(run, service, messages);
  const job = { connections, reconnect: false, messages, bodyBytes: 4096, recipient: `a@${domain}` };
  return {
    processes,
    service,
    sessions,
    rates: [],
    send: cpu.around(() => runSmtpSource({ ...job, port: service.smtpPort })),
    toCpuFigures: (named) => cpu.toFigures(named),
  };
}
