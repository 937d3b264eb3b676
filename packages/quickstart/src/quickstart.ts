// `mayfly quickstart DOMAIN`: from a bare server to mail and a page on HTTPS. What it finds right it leaves as it is, what
// it did it undoes when it fails half-way, and it ends with a list of what stands and the one next command.

import type { BackupFacts, Fetched } from '../../doctor/src/facts.ts';
import { blamesClock } from '../../doctor/src/fetch-page.ts';
import type { Finding } from '../../doctor/src/finding.ts';
import { dataDir } from './plan-files.ts';
import { formatChecklist, formatZoneFile, ofZone, type ZoneRecord } from './plan-zone.ts';
import { type Applied, done, type Progress, runSteps, type Step, StepFailed } from './run-steps.ts';
import { SendFailed } from './send-mail.ts';
import { SetupError } from './setup-error.ts';
import { readSettings, type Settings } from './settings-file.ts';
import { type Answers, findAnswers, type Options } from './answers.ts';
import { findZoneServers, type ZoneServers } from './authoritative.ts';
import { isActive, requireFreePorts, requireKnownSystem, requireReachable, runTool } from './machine.ts';
import { resumeService, startingStep, writingSteps } from './machine-steps.ts';
import { cloudflarePath, makePlan, type Plan, printPlan, readSettingsNow, readShipped } from './make-plan.ts';
import { pause } from './pause.ts';
import { type CallService, ServiceCalls } from './service-calls.ts';

/** Parts of the program around quickstart. */
export interface QuickstartParts {
  /** Where the program is installed. */
  readonly packageFolder: string;
  readonly say: (lines: readonly string[]) => void;
  readonly callService: CallService;
  /** Never rejects. */
  readonly fetchPage: (url: string) => Promise<Fetched>;
  readonly readLastBackup: (dataDir: string) => BackupFacts | undefined;
  readonly formatFindings: (findings: readonly Finding[]) => readonly string[];
  /** @throws UsageError when the service would not start with these settings */
  readonly checkSettings: (settings: Settings) => void;
  /** Aborted with a SetupError when the operator interrupts. */
  readonly signal: AbortSignal;
}

const dayMs = 86_400_000;
const askEveryMs = 2000;
const usualWaitMinutes = 30;
const clockOffMaxMs = 60_000;
const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory';

/**
 * Resolves with whether everything stands; else it has printed what to do next.
 * @throws SetupError, and UsageError of the command line
 */
export async function quickstart(given: Options, parts: QuickstartParts): Promise<boolean> {
  const { packageFolder, say } = parts;
  const shipped = readShipped(packageFolder);
  const settingsNow = readSettingsNow();
  const answers = await findAnswers(
    given,
    settingsNow === shipped.settings ? undefined : settingsNow,
    parts.signal,
  );
  parts.checkSettings({ ...readSettings(settingsNow ?? ''), ...answers.settings });
  const isPrinted = given['print'] !== undefined;
  const plan = makePlan(answers, { packageFolder, shipped, settingsNow, isPrinted });
  if (isPrinted) {
    say(printPlan(String(given['print']), plan));
    return true;
  }
  requireKnownSystem();
  await requireReachable(...plan.programs);
  await requireFreePorts();
  await requireClock(answers, parts);
  const run = new Run(answers, parts);
  const applied = await run.write(plan);
  const waitMinutes = Number(given['wait'] ?? usualWaitMinutes);
  if (!(await run.publish(plan, waitMinutes))) {
    return run.stop(`Publish the records that are missing, then run: mayfly quickstart ${answers.domain}`);
  }
  await run.start(plan, applied);
  const failed = await run.proveAll();
  if (failed !== undefined) return run.stop(failed);
  await run.conclude();
  return true;
}

const mendClock = 'Install and start systemd-timesyncd, or set it with `timedatectl set-time`.';

/** A name server and a certificate authority have other clocks. @throws SetupError */
async function requireClock({ settings }: Answers, { fetchPage }: QuickstartParts): Promise<void> {
  const url = settings['MAYFLY_ACME_DIRECTORY'] ?? letsEncrypt;
  const answer = await fetchPage(url);
  if (blamesClock(answer)) {
    throw new SetupError(
      `The clock says ${new Date().toISOString()}, when no certificate is valid. ${mendClock}`,
    );
  }
  if (!('dateAt' in answer) || answer.dateAt === undefined) return;
  const offMs = Math.abs(answer.dateAt - Date.now());
  if (offMs < clockOffMaxMs) return;
  throw new SetupError(
    `The clock is ${Math.round(offMs / 1000)} s off, so no certificate would be valid. ${mendClock}`,
  );
}

interface Report {
  readonly state: string;
  readonly findings: readonly Finding[];
}

/** One run, once the answers are known. */
class Run {
  readonly #answers: Answers;
  readonly #parts: QuickstartParts;
  readonly #calls: ServiceCalls;

  constructor(answers: Answers, parts: QuickstartParts) {
    this.#answers = answers;
    this.#parts = parts;
    this.#calls = new ServiceCalls(parts.callService, parts.signal);
  }

  /** The user, its folders, and all files. @throws SetupError when they are undone again */
  write({ files, zoneFiles }: Plan): Promise<Applied> {
    return orReport(this.#run(writingSteps([...files, ...zoneFiles])));
  }

  /** Prints the zone, and waits until its own servers have every record. Resolves with false when time is up. */
  async publish({ records }: Plan, waitMinutes: number): Promise<boolean> {
    const { domain } = this.#answers;
    const there = new Set<ZoneRecord>();
    let isShown = false;
    for (
      const endsAt = performance.now() + waitMinutes * 60_000;
      ;
      await pause(askEveryMs, this.#parts.signal)
    ) {
      const servers = await findServers(records, domain);
      const missing = records.filter((record) => !there.has(record));
      const found = await Promise.all(missing.map((record) => servers(record).has(record)));
      const fresh = missing.filter((_, at) => found[at]);
      for (const record of fresh) there.add(record);
      if (fresh.length > 0) this.#parts.say(formatTicks(fresh));
      if (there.size === records.length) return true;
      if (!isShown) {
        this.#parts.say([
          ...['', `The zone of ${domain}; as calls of Cloudflare’s API it is in ${cloudflarePath}:`, ''],
          formatZoneFile(ofZone(records, domain)),
          'Waiting at the name servers of the zone for:',
          formatChecklist(records, (record) => there.has(record)),
        ]);
      }
      isShown = true;
      if (performance.now() >= endsAt || this.#parts.signal.aborted) return false;
    }
  }

  /** @throws SetupError when everything is undone again */
  async start({ files }: Plan, applied: Applied): Promise<void> {
    const { domain } = this.#answers;
    const calls = this.#calls;
    const ready = {
      name: `mail for ${domain}`,
      async check() {
        await calls.untilReady();
        return (await calls.hasDomain(domain)) ? done : 'the service does not take it';
      },
      apply: () => calls.call<void>('/admin/add-domain', { name: domain }),
    };
    const wasActive = await isActive('mayfly.service');
    try {
      await orReport(this.#run([startingStep(files.map(({ path }) => path)), ready]));
    } catch (error) {
      await applied.undo();
      if (wasActive) await resumeService();
      throw error;
    }
  }

  /** Resolves with what to do next when something does not work, whose reason has been printed. */
  async proveAll(): Promise<string | undefined> {
    const answers = this.#answers;
    const { domain, host, settings } = answers;
    const names = [host, ...(settings['MAYFLY_SMTP_MTA_STS'] === 'off' ? [] : [`mta-sts.${domain}`])];
    const proofs: readonly (readonly [name: string, prove: () => Promise<void>])[] = [
      [`a certificate for ${names.join(', ')}`, () => this.#calls.untilCertified(names)],
      ['a mail through the public MX, and its code', () => this.#calls.mailItself(answers)],
      ['a backup, verified; the next one every night', () => this.#makeBackup()],
    ];
    for (const [name, prove] of proofs) {
      try {
        await prove();
        this.#parts.say([`ok       ${name}`]);
      } catch (error) {
        if (!(error instanceof SetupError || error instanceof SendFailed)) throw error;
        this.#parts.say([`FAILED   ${name}`, `         ${error.message}`]);
        return `When that is mended, run: mayfly quickstart ${domain}`;
      }
    }
    return undefined;
  }

  async conclude(): Promise<void> {
    const { domain, host } = this.#answers;
    const report = await this.#calls.call<Report>('/admin/doctor', { fresh: true });
    this.#parts.say([
      '',
      ...this.#parts.formatFindings(report.findings),
      '',
      `${domain} takes mail. The page: https://${host}/`,
    ]);
    const link = await this.#calls.linkFirstAdministrator();
    if (link !== undefined) {
      const { port } = new URL(link);
      this.#parts.say([
        ...['', 'For the first administrator, once within the hour, from another machine:'],
        ...[`  ssh -L ${port}:127.0.0.1:${port} root@${host}`, `  ${link}`],
      ]);
    }
    const fix = report.findings.find((one) => one.state !== 'ok')?.fix;
    if (fix !== undefined && fix !== null) this.stop(fix);
  }

  /** Prints what to do next. */
  stop(next: string): false {
    this.#parts.say(['', `Next: ${next}`]);
    return false;
  }

  async #makeBackup(): Promise<void> {
    const isFresh = (): boolean => Date.now() - (this.#parts.readLastBackup(dataDir)?.madeAt ?? 0) < dayMs;
    if (isFresh()) return;
    await runTool('systemctl', 'start', 'mayfly-backup.service');
    if (!isFresh()) throw new SetupError('No backup was made: `journalctl -u mayfly-backup` says why');
  }

  #run(steps: readonly Step[]): Promise<Applied> {
    return runSteps(steps, { tell: this.#tell, signal: this.#parts.signal });
  }

  readonly #tell = (progress: Progress): void => {
    const { step } = progress;
    if (progress.kind === 'applied') this.#parts.say([`set      ${step}`]);
    if (progress.kind === 'kept') this.#parts.say([`ok       ${step}`]);
    if (progress.kind === 'undone') this.#parts.say([`undone   ${step}`]);
    if (progress.kind === 'left') this.#parts.say([`LEFT     ${step}: ${progress.why}`]);
  };
}

/** Whatever was applied is undone by now. */
async function orReport(running: Promise<Applied>): Promise<Applied> {
  try {
    return await running;
  } catch (error) {
    if (error instanceof StepFailed) {
      const reason = error.message.replace(/\.$/, '');
      const undone = error.isUndone ? '' : ', but for what is LEFT';
      throw new SetupError(`${error.step}: ${reason}. What was done is undone${undone}.`, { cause: error });
    }
    throw error;
  }
}

/** A server that is named after another domain has its records in another zone. */
async function findServers(
  records: readonly ZoneRecord[],
  domain: string,
): Promise<(record: ZoneRecord) => ZoneServers> {
  const own = await findZoneServers(domain);
  const inZone = ofZone(records, domain);
  const [other] = records.filter((record) => !inZone.includes(record));
  const others = other ? await findZoneServers(other.name) : own;
  return (record) => (inZone.includes(record) ? own : others);
}

function formatTicks(records: readonly ZoneRecord[]): string[] {
  return records.map(({ name, type }) => `ok       ${type} of ${name}`);
}
