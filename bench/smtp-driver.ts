// A separate process that sends messages over SMTP as its job says, to the service or the sink, and reports rate and
// latency. Started by run-driver.ts; fails at the first unexpected reply.
import { type Login, readJob, reportWork, type SmtpJob } from './driver-job.ts';
import { sampleMessage } from './sample-message.ts';
import { seededRandom } from './seeded-random.ts';
import { connectSmtp, type SmtpClient, withEndOfData } from './smtp-client.ts';

/** How often a paced run starts the messages due. */
const tickMs = 1;

interface Mail {
  readonly rcptTo: string;
  readonly message: Buffer;
}

const job = await readJob<SmtpJob>();
const next = createMailSource(job);
await reportWork(() => (job.perSecond === undefined ? sendAtOnce() : sendPaced(job.perSecond)));
process.exit(0);

/** Returns a function that draws the job's mails one by one, then undefined. */
function createMailSource({ recipients, bodyBytes, messages }: SmtpJob): () => Mail | undefined {
  const random = seededRandom(messages);
  const bodies = new Map(bodyBytes.map((size) => [size, withEndOfData(sampleMessage(size))]));
  const draw = <Value>(values: readonly Value[]): Value => {
    const value = values[Math.floor(random() * values.length)];
    if (value === undefined) throw new RangeError('The job has no recipients or no sizes.');
    return value;
  };
  let drawn = 0;
  return () => {
    if (drawn === messages) return undefined;
    drawn += 1;
    const message = bodies.get(draw(bodyBytes)) ?? Buffer.alloc(0);
    return { rcptTo: draw(recipients), message };
  };
}

/** Sends the next message of a connection as soon as the last is answered. */
async function sendAtOnce(): Promise<{ latenciesMs: number[] }> {
  const latenciesMs: number[] = [];
  const send = async (login: Login | undefined): Promise<void> => {
    let client: SmtpClient | undefined;
    for (let mail = next(); mail !== undefined; mail = next()) {
      client ??= await connectSmtp(job.port, login);
      latenciesMs.push(await client.deliver(mail.rcptTo, mail.message));
      if (!job.reconnect) continue;
      await client.quit();
      client = undefined;
    }
    await client?.quit();
  };
  await Promise.all(Array.from({ length: job.connections }, (_, index) => send(job.logins?.[index])));
  return { latenciesMs };
}

/** Starts messages at an even pace, each on a free connection, and catches up on late ones. */
async function sendPaced(perSecond: number): Promise<{ latenciesMs: number[] }> {
  const latenciesMs: number[] = [];
  const free = await Promise.all(Array.from({ length: job.connections }, () => connectSmtp(job.port)));
  const startedAt = performance.now();
  let started = 0;
  const send = async (client: SmtpClient, { rcptTo, message }: Mail): Promise<void> => {
    latenciesMs.push(await client.deliver(rcptTo, message));
    free.push(client);
  };
  await new Promise<void>((resolve, reject) => {
    const timer = setInterval(() => {
      const due = Math.min(job.messages, ((performance.now() - startedAt) / 1000) * perSecond);
      for (; started < due; started += 1) {
        const client = free.pop();
        const mail = client && next();
        if (client === undefined || mail === undefined) break;
        send(client, mail).catch(reject);
      }
      if (latenciesMs.length < job.messages) return;
      clearInterval(timer);
      resolve();
    }, tickMs);
  });
  return { latenciesMs };
}
