// Operator commands from the command line: to a service with its socket in a folder of the test, and directly on the
// store.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import type { Logger } from '#telemetry/logger';
import { callService } from '../../../src/cli/call-service.ts';
import type { OperatorCall } from '../../../src/cli/operator-call.ts';
import { parseArguments } from '../../../src/cli/parse-arguments.ts';
import { readSecretFiles } from '../../../src/cli/run-operator.ts';
import { MayflyError } from '../../../src/domain/mayfly-error.ts';
import { serveOperatorSocket } from '../../../src/http/admin/serve-operator-socket.ts';
import { runCommand } from '../../../src/operator/run-command.ts';
import type { OperatorContext } from '../../../src/operator/command.ts';
import type { OperatorDeps } from '../../../src/service/operating/operator-deps.ts';
import { OperatorError } from '../../../src/service/operating/operator-error.ts';

/** Returns the printed lines as one text; begins with `refused: ` if the command was refused. */
export type RunLine = (...words: readonly string[]) => Promise<string>;

export interface OperatorLine {
  readonly folder: string;
  readonly running: RunLine;
  readonly alone: RunLine;
}

const silent = (): void => undefined;
const silentLog: Logger = { debug: silent, info: silent, warn: silent, error: silent };

export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-operator-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

export function toContext(operator: OperatorDeps): OperatorContext {
  return { operator, health: { isReady: () => ({ ready: true }) }, version: '0.0.0-test' };
}

export async function startOperatorLine(operator: OperatorDeps, log = silentLog): Promise<OperatorLine> {
  const folder = await createFolder();
  const context = toContext(operator);
  const server = await serveOperatorSocket({ ...context, dataDir: folder, log });
  onTestFinished(() => server.close());
  return {
    folder,
    running: (...words) =>
      printed(words, async ({ command }, given) => {
        const answer = await callService(folder, command, given, 'alice as mayfly');
        if (!answer) throw new Error('No service answered.');
        return answer;
      }),
    alone: (...words) =>
      printed(words, ({ command }, given) =>
        runCommand({ command, context, actor: { kind: 'command line', name: 'bob' } }, given),
      ),
  };
}

async function printed(
  words: readonly string[],
  carryOut: (call: OperatorCall, given: OperatorCall['given']) => Promise<object>,
): Promise<string> {
  const call = parseArguments(words);
  if (call.kind !== 'operator') throw new Error(`${words.join(' ')} is no operator command.`);
  try {
    const given = readSecretFiles(call);
    return call.command.print(await carryOut(call, given), given).join('\n');
  } catch (error) {
    if (error instanceof OperatorError) return `refused: ${error.message}`;
    if (error instanceof MayflyError) return `refused: ${error.publicMessage}`;
    throw error;
  }
}
