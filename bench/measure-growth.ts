// Measures the service's use of the machine: memory when idle, with sessions and after ingest, and disk per message.
// The floors are a bare node:http server for memory, and the raw bytes of the mail for disk.
import { setTimeout as delay } from 'node:timers/promises';

import { type BenchRun, freshDataDir, scaled, withService } from './bench-run.ts';
import { type Figure, formatCount, toFigure } from './figure.ts';
import { startBareServer } from './floor-processes.ts';
import { type Memory, readAllocatedBytes, readMemory } from './process-footprint.ts';
import { runSmtpDriver } from './run-driver.ts';
import { sampleMessage } from './sample-message.ts';
import { domain } from './service-process.ts';
import { type BenchSession, checkStored, createSessions } from './sessions.ts';

const bodyBytes = 4096;
const connections = 100;
/** Lets a process settle. */
const restMs = 1500;
const mebi = 2 ** 20;

interface Scene {
  readonly run: BenchRun;
  readonly dataDir: string;
  readonly sessionCount: number;
  readonly messages: number;
}

/** Uses one data folder in two runs of the service: the first creates the sessions, the second receives the mail. */
export async function measureGrowth(run: BenchRun): Promise<readonly Figure[]> {
  const sessionCount = scaled(run, 10_000, 1000);
  const messages = scaled(run, 20_000, 2000);
  const scene = { run, dataDir: freshDataDir(run), sessionCount, messages };
  run.say(
    `Memory and disk for ${formatCount(sessionCount)} sessions, ${formatCount(messages)} messages of 4 KB`,
  );
  const first = await liveWithSessions(scene);
  const bytesBefore = readAllocatedBytes(scene.dataDir);
  const second = await liveWithMail(scene, first.sessions);
  const perMessage = (readAllocatedBytes(scene.dataDir) - bytesBefore) / messages;
  const bareBytes = await readBareMemory();

  const mail = `${formatCount(messages)} messages of 4 KB over ${connections} connections`;
  const sessions = `${formatCount(sessionCount)} sessions`;
  const one = (id: string, title: string, shape: string) => ({ id, title, shape });
  const memory = (id: string, shape: string, bytes: number): Figure =>
    toFigure({ ...one(`memory-${id}`, 'Memory (resident)', shape), unit: ' MB', service: [bytes / mebi] });
  return [
    toFigure({
      ...one('start-filled', 'Start to ready', `data folder with ${sessions}`),
      unit: ' ms',
      service: [second.readyMs],
    }),
    toFigure({
      ...one('memory-idle', 'Memory (resident)', 'idle after the start, empty data folder'),
      unit: ' MB',
      service: [first.idleBytes / mebi],
      floor: [bareBytes / mebi],
    }),
    memory('sessions', `after creating ${sessions} over HTTP`, first.residentBytes),
    memory('ingest', `started anew on them, after ${mail}`, second.residentBytes),
    memory('peak', 'the most during the same', second.peakBytes),
    toFigure({
      ...one('disk', 'Disk per message of 4 KB', `growth of the data folder by ${mail}`),
      unit: ' bytes',
      service: [perMessage],
      floor: [sampleMessage(bodyBytes).length],
    }),
  ];
}

interface FirstLife extends Memory {
  readonly idleBytes: number;
  readonly sessions: readonly BenchSession[];
}

function liveWithSessions({ run, dataDir, sessionCount }: Scene): Promise<FirstLife> {
  return withService(run, dataDir, async ({ pid, httpPort }) => {
    await delay(restMs);
    const idleBytes = readMemory(pid).residentBytes;
    const sessions = await createSessions(httpPort, sessionCount, (index) => `s${index}`);
    await delay(restMs);
    return { ...readMemory(pid), idleBytes, sessions };
  });
}

function liveWithMail(
  { run, dataDir, messages }: Scene,
  sessions: readonly BenchSession[],
): Promise<Memory & { readonly readyMs: number }> {
  return withService(run, dataDir, async ({ pid, smtpPort, httpPort, readyMs }) => {
    const recipients = sessions.map((_, index) => `s${index}@${domain}`);
    const traffic = { connections, reconnect: false, messages, recipients, bodyBytes: [bodyBytes] };
    await runSmtpDriver({ port: smtpPort, ...traffic });
    await delay(restMs);
    const memory = readMemory(pid);
    await checkStored(httpPort, sessions, messages);
    return { ...memory, readyMs };
  });
}

async function readBareMemory(): Promise<number> {
  const bare = await startBareServer({});
  await delay(restMs);
  const { residentBytes } = readMemory(bare.pid);
  await bare.stop();
  return residentBytes;
}
