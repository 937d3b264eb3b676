// The logger of the running service: JSON lines on standard error, so that standard output stays for what the
// operator asked for. Made by app.ts.

import { pino } from 'pino';

import type { Logger } from './logger.ts';

/** `level`: the least severe level written. */
export function createLogger(level: string): Logger {
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: pino.stdSerializers.err },
    },
    pino.destination({ dest: 2, sync: true }),
  );
  return {
    debug: (event, fields) => {
      log.debug({ event, ...fields });
    },
    info: (event, fields) => {
      log.info({ event, ...fields });
    },
    warn: (event, fields) => {
      log.warn({ event, ...fields });
    },
    error: (event, fields) => {
      log.error({ event, ...fields });
    },
  };
}
