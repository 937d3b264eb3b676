// `mayfly doctor`: examines the service, after waiting for a mail from outside where that is wanted.

import { setTimeout as delay } from 'node:timers/promises';

import type { Finding, FindingState } from '#doctor/finding';
import { loadConfig } from '#config/load-config';
import type { OperatorCommand } from '../operator/command.ts';
import { beginProbeCommand, examineCommand, readProbeCommand } from '../operator/doctor.ts';
import { OperatorError } from '../service/operating/operator-error.ts';
import { exitStatus } from './exit-status.ts';
import { formatFindings } from './format-findings.ts';
import { type Program, type ProgramGiven, say } from './program-command.ts';
import { carryOut } from './run-operator.ts';
import type { Given } from '#command-line/command';

interface DoctorAnswer {
  readonly state: FindingState;
  readonly findings: readonly Finding[];
}

const askEveryMs = 1000;
const waitMs = 5 * 60_000;

export async function doctor(given: ProgramGiven, program: Program): Promise<void> {
  const config = loadConfig(program.environment);
  const call = (command: OperatorCommand, words: Given): Promise<object> =>
    carryOut({ command, given: words }, config, program);
  if (given['mail'] === true) await waitForMail(call, given['domain']?.toString());
  const answer = (await call(examineCommand, { fresh: true })) as DoctorAnswer;
  if (given['json'] === true) say([JSON.stringify(answer)]);
  else say(formatFindings(answer.findings));
  if (answer.state !== 'ok') process.exitCode = exitStatus.failed;
}

type Call = (command: OperatorCommand, words: Given) => Promise<object>;

/** The address goes to standard error, so that JSON alone is on standard output. */
async function waitForMail(call: Call, domain: string | undefined): Promise<void> {
  const begun = (await call(beginProbeCommand, domain === undefined ? {} : { name: domain })) as {
    readonly address: string;
  };
  process.stderr.write(
    `Send a mail from an account elsewhere, within five minutes, to:\n\n  ${begun.address}\n\nWaiting…\n`,
  );
  const endsAt = performance.now() + waitMs;
  while (performance.now() < endsAt) {
    const { mail } = (await call(readProbeCommand, { address: begun.address }).catch(orEnded)) as {
      readonly mail?: unknown;
    };
    if (mail !== null) return;
    await delay(askEveryMs);
  }
}

/** The session of the probe has ended: no mail came in time, which the report says. */
function orEnded(error: unknown): { readonly mail: undefined } {
  if (error instanceof OperatorError) return { mail: undefined };
  throw error;
}
