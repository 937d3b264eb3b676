// Hands `mayfly inbox` to the package that has its commands.

import type { InboxCommand } from '#inbox/commands';
import { codeOf } from '#system-errors/error-code';

import type { Program, ProgramGiven } from './program-command.ts';
import { stopSignals } from './stop-signals.ts';

export async function inbox(
  command: InboxCommand,
  given: ProgramGiven,
  { environment }: Program,
): Promise<void> {
  process.umask(0o077);
  const leaving = new AbortController();
  if (command === 'inbox watch') {
    for (const signal of stopSignals) process.on(signal, () => leaving.abort());
  }
  // The reader of the output may have closed it early.
  process.stdout.on('error', (error) => process.exit(codeOf(error) === 'EPIPE' ? 0 : 1));
  const { runInbox } = await import('#inbox/run');
  const { stdout: out, stderr: error } = process;
  process.exitCode = await runInbox(command, given, { environment, out, error, signal: leaving.signal });
}
