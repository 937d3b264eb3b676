// Runs the command in the arguments. The only module that reads process.env.

import { inboxStatus } from '#inbox/commands';

import { formatCompletion } from '#command-line/completion';
import { splitRest } from '#command-line/parse-line';
import { UsageError } from '#command-line/usage-error';
import { nameSources } from '#telemetry/source-stack';
import { StartError } from './app/start-error.ts';
import { exitStatus } from './cli/exit-status.ts';
import { formatHelp } from './cli/help.ts';
import { parseArguments } from './cli/parse-arguments.ts';
import type { Program } from './cli/program-command.ts';
import { findProgramCommand, lineNouns } from './cli/program-commands.ts';
import { ConfigError } from '#config/load-config';
import { readSettingSources } from '#config/setting-sources';
import { MayflyError } from './domain/mayfly-error.ts';
import { OperatorError } from './service/operating/operator-error.ts';

function readProgram(): Program {
  return {
    ...readSettingSources(process.env),
    formatHelp,
    formatCompletion: () => formatCompletion('mayfly', lineNouns),
  };
}

async function run(words: readonly string[]): Promise<void> {
  const { line, rest } = splitRest(words, lineNouns);
  const call = parseArguments(line);
  const program = readProgram();
  if (call.kind !== 'operator') return findProgramCommand(call.kind)?.run(call, { ...program, rest });
  const { runOperator } = await import('./cli/run-operator.ts');
  return runOperator(call, program);
}

function describe(error: unknown): string {
  if (error instanceof MayflyError) return error.publicMessage;
  if (error instanceof StartError || error instanceof OperatorError) return error.message;
  return nameSources(String((error as Error).stack));
}

function fail(error: unknown): never {
  if (error instanceof UsageError) {
    process.stderr.write(`mayfly: ${error.message} See \`mayfly help\`.\n`);
    process.exit(process.argv[2] === 'inbox' ? inboxStatus.usage : exitStatus.usage);
  }
  if (error instanceof ConfigError) {
    process.stderr.write(`mayfly: ${error.message}\n`);
    process.exit(exitStatus.config);
  }
  process.stderr.write(`mayfly: ${describe(error)}\n`);
  process.exit(error instanceof StartError && error.isLasting ? exitStatus.config : exitStatus.failed);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  fail(error);
}
