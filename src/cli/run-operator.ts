// Runs an operator's command: in the service that runs on the data folder, or in this process when there is none.

import { userInfo } from 'node:os';

import { messageOf } from '#system-errors/error-message';
import type { Given } from '#command-line/command';
import { workAlone } from '../app.ts';
import { loadConfig } from '#config/load-config';
import type { SettingSources } from '#config/setting-sources';
import type { Config } from '#config/settings';
import { describeSettings } from '#config/settings-in-force';
import { createLogger } from '../observe/create-logger.ts';
import type { OperatorCommand } from '../operator/command.ts';
import { unreadAnswer } from '../operator/operator-socket.ts';
import { runCommand } from '../operator/run-command.ts';
import { OperatorError } from '../service/operating/operator-error.ts';
import { callService } from './call-service.ts';
import { endBroken } from './end-broken.ts';
import type { OperatorCall } from './operator-call.ts';
import { type Program, say } from './program-command.ts';
import { readFileSync, statSync } from 'node:fs';

/** Runs the command in the running service, or in this process when there is none. */
export async function carryOut(
  { command, given }: { readonly command: OperatorCommand; readonly given: Given },
  config: Config,
  sources: SettingSources,
): Promise<object> {
  const log = createLogger('error');
  const onBroken = (error: Error): never => endBroken(log, 'store.broken', error);
  const user = userOf(sources.environment);
  const answer = await callService(config.general.dataDir, command, given, user);
  if (answer) return answer;
  const settings = describeSettings(sources);
  const actor = { kind: 'command line', name: user } as const;
  return workAlone({ config, log, onBroken, settings }, (context) =>
    runCommand({ command, context, actor }, given),
  );
}

/** For the audit: who became this user by sudo, or else the user. */
function userOf({ SUDO_USER: sudoer = '' }: Program['environment']): string {
  const own = ownName();
  return sudoer === '' || sudoer === own ? own : `${sudoer} as ${own}`;
}

function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    // It has no entry in the list of users, as in many containers.
    return String(process.getuid?.() ?? '');
  }
}

export async function runOperator(call: OperatorCall, program: Program): Promise<void> {
  const { command } = call;
  const given = readSecretFiles(call);
  const answer = await carryOut({ command, given }, loadConfig(program.environment), program);
  say(print(command, answer, given));
}

export function print(command: OperatorCommand, answer: object, given: Given): readonly string[] {
  try {
    return command.print(answer, given);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(unreadAnswer, { cause: error });
  }
}

const fileMaxBytes = 64 * 1024;

/** Returns all parameters of the call. @throws OperatorError when a file cannot be read or is invalid */
export function readSecretFiles({ command, given, files }: OperatorCall): Given {
  const contents = Object.entries(files).map(([name, file]) => {
    const text = readSecretFile(file);
    return [name, command.parameters[name]?.option?.readContent?.(text, file) ?? text];
  });
  return { ...given, ...(Object.fromEntries(contents) as Given) };
}

function readSecretFile(file: string): string {
  try {
    if (statSync(file).size > fileMaxBytes) throw new Error('it is too large');
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`The file ${file} cannot be read: ${messageOf(error)}`);
  }
}
