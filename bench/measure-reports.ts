// The cost of a report: the processor time of the service for each of 200 mails built like public templates, each read
// before, and each reported once.
import { type BenchRun, freshDataDir, scaled, withService } from './bench-run.ts';
import { type Figure, toFigure } from './figure.ts';
import { formatRequest, openHttpClient } from './http-client.ts';
import { publicTemplates } from './public-templates.ts';
import { createSessions } from './sessions.ts';
import { connectSmtp, withEndOfData } from './smtp-client.ts';
import { readThreadTimes, toThreadCpu } from './thread-cpu.ts';

const fullMails = 200;
/** Reported first, so that the code is compiled and the tables are loaded. */
const warmMails = 160;
const settings = { MAYFLY_LIMITS_SESSION_MESSAGES: '1000', MAYFLY_DNS_SERVERS: 'none' } as const;

export function measureReports(run: BenchRun): Promise<readonly Figure[]> {
  return withService(run, { dataDir: freshDataDir(run), settings }, async ({ httpPort, smtpPort, pid }) => {
    const mails = publicTemplates(warmMails + scaled(run, fullMails, 40));
    run.say(`${mails.length - warmMails} reports`);
    const [session] = await createSessions(httpPort, 1, () => 'reported');
    if (session === undefined) throw new Error('There is no session.');
    const smtp = await connectSmtp(smtpPort);
    const http = openHttpClient(httpPort);
    const ask = async (path: string): Promise<string> => {
      const { status, body } = await http.exchange(formatRequest('GET', path, session.token));
      if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
      return body;
    };
    const used: number[] = [];
    for (const [at, { subject, html }] of mails.entries()) {
      await smtp.deliver(session.email, toMail(subject, html));
      const list = JSON.parse(await ask('/check-mail?limit=1')) as { messages: { id: number }[] };
      const id = list.messages[0]?.id ?? 0;
      await ask(`/read-mail?id=${id}`);
      const before = readThreadTimes(pid);
      await ask(`/report?id=${id}`);
      const { main, others } = toThreadCpu(pid, before, readThreadTimes(pid));
      if (at >= warmMails) used.push((main + others) / 1000);
    }
    http.close();
    await smtp.quit();
    used.sort((one, other) => one - other);
    const at = (share: number): number => used[Math.floor(share * (used.length - 1))] ?? 0;
    const shape = `${used.length} mails like public templates, all threads`;
    const title = 'Report, processor time';
    return [
      toFigure({ id: 'report-cpu-p50', title: `${title} p50`, shape, unit: 'ms', service: [at(0.5)] }),
      toFigure({ id: 'report-cpu-p99', title: `${title} p99`, shape, unit: 'ms', service: [at(0.99)] }),
    ];
  });
}

function toMail(subject: string, html: string): Buffer {
  const header =
    'From: Shop <shop@shop.example>\r\nTo: you@mayfly.test\r\nDate: Thu, 26 Nov 2026 10:00:00 +0000\r\n' +
    `Message-ID: <${subject.replaceAll(' ', '-')}@shop.example>\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\n`;
  const encoded = Buffer.from(html).toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  const parts =
    'Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHello, thanks for signing up.\r\n' +
    `--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded}\r\n--b--\r\n`;
  return withEndOfData(Buffer.from(header + parts));
}
