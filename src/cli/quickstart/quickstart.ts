// `mayfly quickstart DOMAIN`: from a bare server to mail and a page on HTTPS. What it finds right it leaves as it is, what
// it did it undoes when it fails half-way, and it ends with a list of what stands and the one next command.

import { setTimeout as delay } from 'node:timers/promises';

import type { Finding } from '#doctor/finding';
import { dataDir } from '#quickstart/plan-files';
import { formatChecklist, formatZoneFile, type ZoneRecord } from '#quickstart/plan-zone';
import { type Applied, done, type Progress, runSteps, StepFailed } from '#quickstart/run-steps';
import { SendFailed } from '#quickstart/send-mail';
import { fetchPage } from '../../app/doctor/fetch-page.ts';
import { readLastBackup } from '../../app/doctor/last-backup.ts';
import { StartError } from '../../app/start-error.ts';
import { OperatorError } from '../../service/operating/operator-error.ts';
import { exitStatus } from '../exit-status.ts';
import { type ProgramGiven, say } from '../program-command.ts';
import { formatFindings } from '../format-findings.ts';
import { type Answers, findAnswers } from './answers.ts';
import { findZoneServers } from './authoritative.ts';
import { isActive, requireFreePorts, requireKnownSystem, requireReachable, runTool } from './machine.ts';
import { resumeService, startingStep, writingSteps } from './machine-steps.ts';
import { cloudflarePath, makePlan, type Plan, printPlan, readSettingsNow, readShipped } from './make-plan.ts';
import {
  call,
  hasDomain,
  linkFirstAdministrator,
  mailItself,
  untilCertified,
  untilReady,
} from './service-calls.ts';

const dayMs = 86_400_000;
const askEveryMs = 2000;
const usualWaitMinutes = 30;
const clockOffMaxMs = 60_000;
const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory';

export async function quickstart(given: ProgramGiven): Promise<void> {
  const shipped = readShipped();
  const settingsNow = readSettingsNow();
  const answers = await findAnswers(given, settingsNow === shipped.settings ? undefined : settingsNow);
  const plan = makePlan(answers, shipped, settingsNow);
  if (given['print'] !== undefined) {
    say(printPlan(String(given['print']), plan));
    return;
  }
  requireKnownSystem();
  await requireReachable(...plan.programs);
  await requireFreePorts();
  await requireClock(answers);
  const applied = await orReport(runSteps(writingSteps([...plan.files, ...plan.zoneFiles]), tell));
  const waitMinutes = Number(given['wait'] ?? usualWaitMinutes);
  if (!(await publish(plan, answers, waitMinutes))) {
    endWith(`Publish the records that are missing, then run: mayfly quickstart ${answers.domain}`, true);
    return;
  }
  await start(plan, answers, applied);
  if (await proveAll(answers)) await conclude(answers);
}

/** A name server and a certificate authority have other clocks. @throws StartError */
async function requireClock({ settings }: Answers): Promise<void> {
  const url = settings['MAYFLY_ACME_DIRECTORY'] ?? letsEncrypt;
  const answer = await fetchPage(url);
  if (!('dateAt' in answer) || answer.dateAt === undefined) return;
  const offMs = Math.abs(answer.dateAt - Date.now());
  if (offMs < clockOffMaxMs) return;
  throw new StartError(
    `The clock is ${Math.round(offMs / 1000)} s off, so no certificate would be valid: install systemd-timesyncd`,
  );
}

function tell(progress: Progress): void {
  const { step } = progress;
  if (progress.kind === 'applied') say([`set      ${step}`]);
  if (progress.kind === 'kept') say([`ok       ${step}`]);
  if (progress.kind === 'undone') say([`undone   ${step}`]);
}

/** Whatever was applied is undone by now. */
async function orReport(running: Promise<Applied>): Promise<Applied> {
  try {
    return await running;
  } catch (error) {
    if (error instanceof StepFailed) {
      const reason = error.message.replace(/\.$/, '');
      throw new StartError(`${error.step}: ${reason}. What was done is undone.`, { cause: error });
    }
    throw error;
  }
}

/** Prints the zone, and waits until its own servers have every record. Resolves with false when time is up. */
async function publish({ records }: Plan, { domain }: Answers, waitMinutes: number): Promise<boolean> {
  const there = new Set<ZoneRecord>();
  let isShown = false;
  for (const endsAt = performance.now() + waitMinutes * 60_000; ; await delay(askEveryMs)) {
    const servers = await findZoneServers(domain);
    const missing = records.filter((record) => !there.has(record));
    const found = await Promise.all(missing.map((record) => servers.has(record)));
    const fresh = missing.filter((_, at) => found[at]);
    for (const record of fresh) there.add(record);
    say(formatTicks(fresh));
    if (there.size === records.length) return true;
    if (!isShown) {
      say([
        ...['', `The zone of ${domain}; as calls of Cloudflare’s API it is in ${cloudflarePath}:`, ''],
        formatZoneFile(records),
        'Waiting at the name servers of the zone for:',
        formatChecklist(records, (record) => there.has(record)),
      ]);
    }
    isShown = true;
    if (performance.now() >= endsAt) return false;
  }
}

function formatTicks(records: readonly ZoneRecord[]): string[] {
  return records.map(({ name, type }) => `ok       ${type} of ${name}`);
}

async function start({ files }: Plan, { domain }: Answers, applied: Applied): Promise<void> {
  const ready = {
    name: `mail for ${domain}`,
    check: async () => ((await hasDomain(domain)) ? done : 'the service does not take it'),
    apply: async () => {
      await untilReady();
      if (!(await hasDomain(domain))) await call('/admin/add-domain', { name: domain });
    },
  };
  const wasActive = await isActive('mayfly.service');
  try {
    await orReport(runSteps([startingStep(files.map(({ path }) => path)), ready], tell));
  } catch (error) {
    await applied.undo();
    if (wasActive) await resumeService();
    throw error;
  }
}

/** Resolves with whether all of it works; else the reason has been printed. */
async function proveAll(answers: Answers): Promise<boolean> {
  const { domain, host, settings } = answers;
  const names = [host, ...(settings['MAYFLY_SMTP_MTA_STS'] === 'off' ? [] : [`mta-sts.${domain}`])];
  const proofs: readonly (readonly [name: string, prove: () => Promise<void>])[] = [
    [`a certificate for ${names.join(', ')}`, () => untilCertified(names)],
    ['a mail through the public MX, and its code', () => mailItself(answers)],
    ['a backup, verified; the next one every night', makeBackup],
  ];
  for (const [name, prove] of proofs) {
    try {
      await prove();
      say([`ok       ${name}`]);
    } catch (error) {
      if (!(error instanceof StartError || error instanceof OperatorError || error instanceof SendFailed)) {
        throw error;
      }
      say([`FAILED   ${name}`, `         ${error.message}`]);
      endWith(`When that is mended, run: mayfly quickstart ${domain}`, true);
      return false;
    }
  }
  return true;
}

async function makeBackup(): Promise<void> {
  const isFresh = (): boolean => Date.now() - (readLastBackup(dataDir)?.madeAt ?? 0) < dayMs;
  if (isFresh()) return;
  await runTool('systemctl', 'start', 'mayfly-backup.service');
  if (!isFresh()) throw new StartError('No backup was made: `journalctl -u mayfly-backup` says why');
}

interface Report {
  readonly state: string;
  readonly findings: readonly Finding[];
}

async function conclude({ domain, host }: Answers): Promise<void> {
  const report = await call<Report>('/admin/doctor', { fresh: true });
  say(['', ...formatFindings(report.findings), '', `${domain} takes mail. The page: https://${host}/`]);
  const link = await linkFirstAdministrator();
  if (link !== undefined) {
    const { port } = new URL(link);
    say([
      ...['', 'For the first administrator, once within the hour, from another machine:'],
      ...[`  ssh -L ${port}:127.0.0.1:${port} root@${host}`, `  ${link}`],
    ]);
  }
  const fix = report.findings.find((one) => one.state !== 'ok')?.fix;
  if (fix !== undefined && fix !== null) endWith(fix, false);
}

function endWith(next: string, isFailure: boolean): void {
  say(['', `Next: ${next}`]);
  if (isFailure) process.exitCode = exitStatus.failed;
}
