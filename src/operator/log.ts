// The log as a stream, for the operator's page. Declared like a command, but it has no end, so the command line, which
// has the log itself, does not offer it.

import { logLevels } from '#telemetry/log-feed';
import type { CommandParameters } from './command.ts';

export const logStream = {
  method: 'GET',
  path: '/admin/log',
  help: 'stream the log of this process as Server-Sent Events: the recent lines, then each new one',
  parameters: {
    level: {
      kind: 'choice',
      values: logLevels,
      description: 'the least severe lines to send; all that are logged when absent',
    },
    words: { kind: 'text', maxLength: 200, description: 'only lines with all these words' },
  },
} as const satisfies { readonly parameters: CommandParameters; readonly [member: string]: unknown };
