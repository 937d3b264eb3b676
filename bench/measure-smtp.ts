// Measures SMTP ingest: service against smtp-sink, in turns, each shape with both drivers. After each shape the
// messages stored are counted over HTTP and must be as many as were acknowledged.
import { type BenchRun, freshDataDir, scaled, takeTurns, withService } from './bench-run.ts';
import { type Figure, toFigure } from './figure.ts';
import { startSmtpSink } from './floor-processes.ts';
import type { ServiceProcess } from './service-process.ts';
import { createCpuMeter } from './cpu-meter.ts';
import { type BenchSession, checkStored, createSessions } from './sessions.ts';
import {
  type DriverRun,
  fewSenders,
  largeShape,
  mixedShape,
  ownTraffic,
  type Shape,
  smallShapes,
  smtpSourceTraffic,
  type SmtpTraffic,
  toShapeText,
} from './smtp-shapes.ts';
import { toSpread } from './statistics.ts';

const leastMessages = 300;

/** Uses one service per group, so that 75 KB messages do not start with the file grown by 4 KB ones. */
export async function measureSmtp(run: BenchRun): Promise<readonly Figure[]> {
  return [
    ...(await measureShapes(run, smtpSourceTraffic, [...smallShapes, ...fewSenders])),
    ...(await measureShapes(run, smtpSourceTraffic, [largeShape])),
    ...(await measureShapes(run, ownTraffic, smallShapes)),
    ...(await measureShapes(run, ownTraffic, [largeShape, mixedShape])),
  ];
}

async function measureShapes(
  run: BenchRun,
  traffic: SmtpTraffic,
  shapes: readonly Shape[],
): Promise<readonly Figure[]> {
  const most = Math.max(...shapes.map((shape) => scaled(run, shape.messages, leastMessages)));
  return withService(run, freshDataDir(run), async (service) => {
    const sessions = await createSessions(service.httpPort, traffic.countSessions(most), traffic.toPrefix);
    const sink = await startSmtpSink();
    const figures: Figure[] = [];
    let acknowledged = 0;
    for (const shape of shapes) {
      run.say(`${shape.title}, ${toShapeText(shape)}, ${traffic.name}`);
      const scene = { run, traffic, service, sinkPort: sink.port, sessions, acknowledged };
      const measured = await measureShape(scene, shape);
      acknowledged = measured.acknowledged;
      figures.push(...measured.figures);
    }
    await sink.stop();
    return figures;
  });
}

interface Scene {
  readonly run: BenchRun;
  readonly traffic: SmtpTraffic;
  readonly service: ServiceProcess;
  readonly sinkPort: number;
  readonly sessions: readonly BenchSession[];
  /** Messages that the service took before. */
  readonly acknowledged: number;
}

async function measureShape(
  scene: Scene,
  shape: Shape,
): Promise<{ figures: Figure[]; acknowledged: number }> {
  const { run, traffic, service, sessions } = scene;
  const messages = scaled(run, shape.messages, leastMessages);
  const sendTo = (port: number) => (): Promise<DriverRun> => traffic.send(shape, port, messages);
  const cpu = createCpuMeter(run, service, messages);
  const sendToService = cpu.around(sendTo(service.smtpPort));
  const turns = await takeTurns(run.options.rounds, sendToService, sendTo(scene.sinkPort));
  // The measured turns and the one before them.
  const acknowledged = scene.acknowledged + messages * (run.options.rounds + 1);
  await checkStored(service.httpPort, sessions, acknowledged);
  const loads = turns.floor.map(({ driverLoad }) => driverLoad ?? 0);
  const named = {
    id: `${shape.id}/${traffic.name.replace(' ', '-')}`,
    title: shape.title,
    shape: `${toShapeText(shape)}, ${traffic.describeSpread(messages)}, ${traffic.name}`,
  };
  const figure = toFigure({
    ...named,
    unit: '/s',
    service: turns.service.map(({ perSecond }) => perSecond),
    floor: turns.floor.map(({ perSecond }) => perSecond),
    driverLoad: toSpread(loads).median,
  });
  return { figures: [figure, ...cpu.toFigures(named)], acknowledged };
}
