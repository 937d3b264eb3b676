// The admin interface: the operator's commands as HTTP operations, without those meant only for this machine.

import type { AdminScope } from '../../domain/api-key.ts';
import type { CommandParameters, OperatorCommand } from '../../operator/command.ts';
import { operatorCommands } from '../../operator/commands.ts';

export const adminOperations: readonly OperatorCommand[] = operatorCommands
  .filter(({ isLocal }) => !isLocal)
  .map((command) => ({ ...command, parameters: withoutLocal(command.parameters) }));

function withoutLocal(parameters: CommandParameters): CommandParameters {
  return Object.fromEntries(Object.entries(parameters).filter(([, { isLocal }]) => !isLocal));
}

export function scopeOf({ method }: Pick<OperatorCommand, 'method'>): AdminScope {
  return method === 'GET' ? 'read' : 'write';
}
