// Runs an operator's command: the only way to, from the page, the admin interface and the command line alike, so that
// every change is noted in the audit.

import type { Actor } from '#audit/entry';
import type { ParameterValues } from '#values/parameter';
import type { CommandParameters, OperatorCommand, OperatorContext } from './command.ts';

type Values = ParameterValues<CommandParameters>;

export interface CommandCall {
  readonly command: OperatorCommand;
  readonly context: OperatorContext;
  readonly actor: Actor;
}

/** Resolves with the answer as sent in JSON. @throws OperatorError, MayflyError */
export async function runCommand({ command, context, actor }: CommandCall, values: Values): Promise<object> {
  const target = targetOf(command, values);
  const work = (): Promise<object> => command.run(context, values);
  if (!target) return work();
  const { audit } = context.operator;
  const act = { actor, action: actionOf(command) };
  if (command.isOpen !== true) return audit.record({ ...act, target }, work);
  // Strangers may call it, so only what proved itself leaves an entry.
  const answer = await work();
  const by = command.actorOf?.(answer) ?? actor;
  await audit.note({ ...act, actor: by, target: target(answer) }, 'done');
  return answer;
}

/** Notes a call that was refused before its command could run. */
export async function noteRefused({ command, context, actor }: CommandCall, reason: string): Promise<void> {
  if (command.method !== 'POST' || command.changes === 'nothing') return;
  await context.operator.audit.note({ actor, action: actionOf(command), target: '' }, 'refused', reason);
}

/** Returns undefined for a command that changes nothing. */
function targetOf(command: OperatorCommand, values: Values): ((answer?: object) => string) | undefined {
  if (command.method !== 'POST') return undefined;
  const { changes } = command;
  return changes === 'nothing' ? undefined : (answer) => changes(values, answer);
}

/** The last part of its path. */
function actionOf({ path }: Pick<OperatorCommand, 'path'>): string {
  return path.slice('/admin/'.length);
}
