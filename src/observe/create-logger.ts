// The logger of the running service: JSON lines on standard error, which leaves standard output to commands; lines for
// people where that is a terminal. Removes secrets from whatever is logged by mistake.

import { pino } from 'pino';

import type { LogFeed } from '#telemetry/log-feed';
import type { Logger } from '#telemetry/logger';
import { maskSecrets } from '#telemetry/mask-secrets';
import { nameSources } from '#telemetry/source-stack';
import { toTerminalLine } from '#telemetry/terminal-lines';

/** Names of fields that always hold secrets. */
const secretFields = ['token', 'password', 'secret', 'authorization', 'cookie', 'apiKey'];

/** As pino describes it, with source positions in its stack. */
function describeError(error: Error): object {
  const described = pino.stdSerializers.err(error);
  // Values logged as errors need not be Errors.
  if (described.stack && error instanceof Error) described.stack = nameSources(described.stack);
  return described;
}

type Level = 'debug' | 'info' | 'warn' | 'error';

/** How lines look: for programs, or for people with or without colour. */
export type LogStyle = 'json' | 'plain' | 'coloured';

export interface LoggerOptions {
  /** Called for every line, written or not. */
  readonly onLine?: (level: Level) => void;
  readonly style?: LogStyle;
  /** Receives the lines that are written, as JSON. */
  readonly feed?: LogFeed;
}

/** `level`: the least severe level written. */
export function createLogger(
  level: string,
  { onLine = () => undefined, style = 'json', feed }: LoggerOptions = {},
): Logger {
  const destination = pino.destination({ dest: 2, sync: true });
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError },
      redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '…' },
    },
    {
      write: (line) => {
        const safe = maskSecrets(line);
        feed?.write(safe);
        destination.write(style === 'json' ? safe : toTerminalLine(safe, style === 'coloured'));
      },
    },
  );
  const writeAt =
    (name: Level) =>
    (event: string, fields?: object): void => {
      onLine(name);
      log[name]({ event, ...fields });
    };
  return { debug: writeAt('debug'), info: writeAt('info'), warn: writeAt('warn'), error: writeAt('error') };
}
