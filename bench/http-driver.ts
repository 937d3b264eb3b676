// A separate process that sends the requests of its job over kept connections, to the service or the bare server, and
// reports rate and latency. Started by run-driver.ts; ends at any answer but 200.
import { type HttpJob, readJob, reportWork } from './driver-job.ts';
import { openHttpClient } from './http-client.ts';

const job = await readJob<HttpJob>();
await warmUp(job.warmUp ?? []);
await reportWork(sendRequests);
process.exit(0);

async function warmUp(requests: readonly string[]): Promise<void> {
  const client = openHttpClient(job.port, job.isSecure);
  for (const request of requests) await client.exchange(request);
  client.close();
}

async function sendRequests(): Promise<{ latenciesMs: number[] }> {
  const latenciesMs: number[] = [];
  const endsAt = performance.now() + (job.seconds ?? 0) * 1000;
  let sent = 0;
  const send = async (): Promise<void> => {
    const client = openHttpClient(job.port, job.isSecure);
    for (;;) {
      const startedAt = performance.now();
      if (job.seconds === undefined ? sent === job.requests.length : startedAt >= endsAt) break;
      const request = job.requests[sent % job.requests.length] ?? '';
      sent += 1;
      const { status, body } = await client.exchange(request);
      latenciesMs.push(performance.now() - startedAt);
      if (status !== 200) throw new Error(`Expected 200, got ${status}: ${body.slice(0, 300)}`);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: job.connections }, send));
  return { latenciesMs };
}
