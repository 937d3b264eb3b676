// `mayfly quickstart DOMAIN`: packages/quickstart with this program's calls, checks and errors.

import { UsageError } from '#command-line/usage-error';
import { ConfigError, loadConfig, refuseMisspelt } from '#config/load-config';
import { quickstart as runQuickstart } from '#quickstart/quickstart';
import type { CallService } from '#quickstart/service-calls';
import type { Settings } from '#quickstart/settings-file';
import { RefusedCall, SetupError } from '#quickstart/setup-error';
import { fetchPage } from '#doctor/fetch-page';
import { readLastBackup } from '../app/doctor/last-backup.ts';
import { StartError } from '../app/start-error.ts';
import { packageFolder } from '../app/version.ts';
import { operatorCommands } from '../operator/commands.ts';
import { OperatorError } from '../service/operating/operator-error.ts';
import { callService } from './call-service.ts';
import { exitStatus } from './exit-status.ts';
import { formatFindings } from './format-findings.ts';
import { type ProgramGiven, say } from './program-command.ts';
import { stopSignals } from './stop-signals.ts';

export async function quickstart(given: ProgramGiven): Promise<void> {
  const ofProgram = { packageFolder, say, callService: call, fetchPage, readLastBackup, formatFindings };
  const interrupted = new AbortController();
  for (const signal of stopSignals) {
    // A second one ends the program as usual.
    process.once(signal, () => {
      interrupted.abort(new SetupError('Interrupted'));
    });
  }
  const parts = { ...ofProgram, checkSettings, signal: interrupted.signal };
  try {
    if (!(await runQuickstart(given, parts))) process.exitCode = exitStatus.failed;
  } catch (error) {
    if (error instanceof RefusedCall && error.cause instanceof OperatorError) throw error.cause;
    if (error instanceof SetupError) throw new StartError(error.message, { cause: error });
    throw error;
  }
}

function checkSettings(settings: Settings): void {
  try {
    loadConfig(settings);
    refuseMisspelt(settings);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

const call: CallService = async (dataDir, path, given) => {
  const command = operatorCommands.find((one) => one.path === path);
  if (!command) throw new Error(`There is no command ${path}.`);
  try {
    return await callService(dataDir, command, given);
  } catch (error) {
    if (error instanceof OperatorError) throw new RefusedCall(error.message, { cause: error });
    throw error;
  }
};
