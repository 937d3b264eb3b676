// Measures check-mail, read-mail and create-session against a bare node:http server that gives the same bytes for the
// same requests, both driven by our own HTTP driver over kept connections.
import { type BenchRun, freshDataDir, scaled, takeTurns, withService } from './bench-run.ts';
import type { DriverResult } from './driver-job.ts';
import { type Figure, toFigure } from './figure.ts';
import { toFixedAnswer } from './fixed-answer.ts';
import { startBareServer } from './floor-processes.ts';
import { formatRequest, type HttpAnswer, openHttpClient } from './http-client.ts';
import { fillMailboxes, mailboxMessages } from './mailboxes.ts';
import { runHttpDriver } from './run-driver.ts';
import { toSpread } from './statistics.ts';

const connections = 20;
/** Sessions with mail, of which lists and messages are requested again and again. */
const warmSessions = 20;
const secondsPerRun = 2;
const firstReadsPerRun = 1000;
/** Few, because a person opens mails one at a time. */
const firstReadConnections = 4;

interface Scene {
  readonly run: BenchRun;
  readonly servicePort: number;
  readonly barePort: number;
  /** Requests that change nothing. */
  readonly harmless: readonly string[];
}

interface Asked {
  readonly id: string;
  readonly title: string;
  readonly shape: string;
  readonly requests: readonly string[];
}

export async function measureHttp(run: BenchRun): Promise<readonly Figure[]> {
  return withService(run, freshDataDir(run), async (service) => {
    const firstReads = scaled(run, firstReadsPerRun, 100) * (run.options.rounds + 1);
    const coldSessions = Math.ceil(firstReads / mailboxMessages);
    run.say('Mail for the HTTP figures');
    const mailboxes = await fillMailboxes(service, warmSessions + coldSessions);
    const [warm, cold] = [mailboxes.slice(0, warmSessions), mailboxes.slice(warmSessions)];
    const check = warm.map(({ token }) => formatRequest('GET', '/check-mail', token));
    const read = warm.map(({ token, ids }) => formatRequest('GET', `/read-mail?id=${ids[0] ?? 0}`, token));
    const create = [formatRequest('POST', '/create-session')];
    const bare = await startBareServer({
      '/check-mail': toFixedAnswer(await ask(service.httpPort, check)),
      '/read-mail': toFixedAnswer(await ask(service.httpPort, read)),
      '/create-session': toFixedAnswer(await ask(service.httpPort, create)),
    });
    const scene = { run, servicePort: service.httpPort, barePort: bare.port, harmless: check };
    const list = `unchanged list of ${mailboxMessages} messages, ${warmSessions} sessions in turn`;
    const again = `4 KB message in text and HTML, read before, ${warmSessions} sessions in turn`;
    const figures = [
      await measureRepeated(scene, { id: 'check-mail', title: 'check-mail', shape: list, requests: check }),
      await measureRepeated(scene, {
        id: 'read-mail-cached',
        title: 'read-mail, again',
        shape: again,
        requests: read,
      }),
      ...(await measureFirstReads(
        scene,
        cold.flatMap(({ token, ids }) => ids.map((id) => formatRequest('GET', `/read-mail?id=${id}`, token))),
      )),
      // Last, since it leaves tens of thousands of sessions behind.
      await measureRepeated(scene, {
        id: 'create-session',
        title: 'create-session',
        shape: 'random address, durable before the answer',
        requests: create,
      }),
    ];
    await bare.stop();
    return figures;
  });
}

/** Requests the answer that the bare server is to give too. */
async function ask(port: number, requests: readonly string[]): Promise<HttpAnswer> {
  const client = openHttpClient(port);
  const answer = await client.exchange(requests[0] ?? '');
  client.close();
  if (answer.status !== 200) {
    throw new Error(`Expected 200, got ${answer.status}: ${answer.body.slice(0, 300)}`);
  }
  return answer;
}

async function measureRepeated({ run, servicePort, barePort }: Scene, asked: Asked): Promise<Figure> {
  run.say(asked.title);
  const seconds = scaled(run, secondsPerRun, 0.5);
  const askPort = (port: number) => (): Promise<DriverResult> =>
    runHttpDriver({ port, connections, seconds, requests: asked.requests });
  const turns = await takeTurns(run.options.rounds, askPort(servicePort), askPort(barePort));
  return toFigure({
    id: asked.id,
    title: asked.title,
    shape: `${asked.shape}, ${connections} kept connections, own driver`,
    unit: '/s',
    service: turns.service.map(({ perSecond }) => perSecond),
    floor: turns.floor.map(({ perSecond }) => perSecond),
    driverLoad: toSpread(turns.floor.map(({ driverLoad }) => driverLoad)).median,
  });
}

/** Reads each message once, which decrypts and parses it in a worker. */
async function measureFirstReads(scene: Scene, requests: readonly string[]): Promise<readonly Figure[]> {
  scene.run.say('read-mail, first');
  const perRun = scaled(scene.run, firstReadsPerRun, 100);
  const warmUp = Array.from({ length: 25 }, () => scene.harmless).flat();
  let used = 0;
  const askPort = (port: number, part: readonly string[]): Promise<DriverResult> =>
    runHttpDriver({ port, connections: firstReadConnections, requests: part, warmUp });
  const turns = await takeTurns(
    scene.run.options.rounds,
    () => askPort(scene.servicePort, requests.slice(used, (used += perRun))),
    () => askPort(scene.barePort, requests.slice(0, perRun)),
  );
  const shape = `4 KB message in text and HTML, each once, ${firstReadConnections} kept connections, own driver`;
  const figure = (id: string, unit: string, of: (result: DriverResult) => number): Figure =>
    toFigure({
      id: `read-mail-first-${id}`,
      title: `read-mail, first, ${id}`,
      shape,
      unit,
      service: turns.service.map(of),
      floor: turns.floor.map(of),
    });
  return [
    figure('rate', '/s', ({ perSecond }) => perSecond),
    figure('p50', ' ms', ({ latencyMs }) => latencyMs.p50),
    figure('p99', ' ms', ({ latencyMs }) => latencyMs.p99),
  ];
}
