// Measures receiving after a restart, when no session's keys are in memory yet: each message is the first to its
// session. Used by measure-builds.ts.
import { type BenchRun, freshDataDir, scaled, startOn } from './bench-run.ts';
import { runSmtpSource } from './run-driver.ts';
import { domain } from './service-process.ts';
import { checkStored, createSessions } from './sessions.ts';

/** Messages per second, by connections. */
export type FirstMail = Readonly<Record<'first100' | 'first20', number>>;

const messagesPerRun = 6000;
const leastMessages = 150;
const names = ['a', 'b', 'c'] as const;

export async function measureFirstMail(run: BenchRun, build: string): Promise<FirstMail> {
  const [dataDir, messages] = [freshDataDir(run), scaled(run, messagesPerRun, leastMessages)];
  const before = await startOn(run, dataDir, { build });
  const sessions = await createSessions(before.httpPort, names.length * messages, (index) => {
    // As smtp-source names its recipients.
    return `${Math.floor(index / names.length) + 1}${names[index % names.length] ?? ''}`;
  });
  await before.stop();
  const service = await startOn(run, dataDir, { build });
  const send = (name: (typeof names)[number], connections: number): Promise<number> =>
    runSmtpSource({
      port: service.smtpPort,
      connections,
      reconnect: false,
      messages,
      bodyBytes: 4096,
      recipient: `${name}@${domain}`,
    });
  try {
    // The first messages find code that is not compiled yet.
    await send('a', 100);
    const rates = { first100: await send('b', 100), first20: await send('c', 20) };
    await checkStored(service.httpPort, sessions, names.length * messages);
    return rates;
  } finally {
    await service.stop();
  }
}
