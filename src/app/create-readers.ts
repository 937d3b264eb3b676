// Builds the parts that read mail from the configuration: its parser, sanitiser and glances, and the checks of its
// origin. Part of the composition root.

import { unavailable } from '../domain/mayfly-error.ts';
import type { Logger } from '#telemetry/logger';
import type { Config } from '#config/settings';
import { createMessageParser, type MessageParser } from '#mail-threads/message-parser';
import { createHtmlSanitiser, type HtmlSanitiser } from '#mail-threads/html-sanitiser';
import { createReaderThreads, type ReaderThreads } from '#mail-threads/reader-threads';
import { createMessageAuthenticator } from '#mail-threads/authenticate-message';
import type { Metrics } from '../observe/metrics.ts';
import {
  createMessageAuthentications,
  type MessageAuthentications,
  noAuthentications,
} from '../service/mail/message-authentications.ts';
import { createEarlyGlances, type EarlyGlances } from '../service/mail/early-glances.ts';
import { HeadsInHand } from '../service/mail/heads-in-hand.ts';
import { createMessageGlances, type MessageGlances } from '../service/mail/message-glances.ts';
import type { ServiceTurns } from '../service/session/service-turns.ts';
import type { MailStore } from '../store/mail-store.ts';

export interface Readers {
  /** The threads that read mail. */
  readonly readers: ReaderThreads;
  readonly parser: MessageParser;
  readonly sanitiser: HtmlSanitiser;
  readonly glances: MessageGlances;
  readonly earlyGlances: EarlyGlances;
  readonly authentications: MessageAuthentications;
  close(): Promise<void>;
}

export interface ReaderParts {
  readonly config: Config;
  readonly mail: MailStore;
  readonly turns: ServiceTurns;
  /** The store's clock, ms since 1970. */
  readonly now: () => number;
  readonly metrics: Metrics;
  readonly log: Logger;
}

export function createReaders(parts: ReaderParts): Readers {
  const { config, mail, turns, log } = parts;
  const { workers: parsing, idleSeconds } = config.parse;
  const readers = createReaderThreads({ refuse: unavailable, parsing, idleMs: idleSeconds * 1000 });
  const parser = createParser(readers, parts);
  const sanitiser = createHtmlSanitiser({
    readers,
    onFault: (fault) => {
      log.warn('sanitise.gave_up', fault);
    },
  });
  const onError = (error: unknown): void => {
    log.error('glance.not_kept', { error });
  };
  const heads = new HeadsInHand();
  const glances = createMessageGlances({ mail, turns, parser, heads, onError });
  const earlyGlances = createEarlyGlances({ mail, glances, heads, onError });
  const authentications = createAuthentications(parts);
  return {
    readers,
    parser,
    sanitiser,
    glances,
    earlyGlances,
    authentications,
    close: async () => {
      await earlyGlances.close();
      parser.close();
      sanitiser.close();
      await Promise.all([readers.close(), authentications.close(), glances.close()]);
    },
  };
}

function createParser(readers: ReaderThreads, { config, metrics, log }: ReaderParts): MessageParser {
  return createMessageParser({
    readers,
    timeBudgetMs: config.parse.timeoutMs,
    onFault: (fault) => {
      metrics.parserFaults.of(fault.cause).value += 1;
      log.warn('parse.gave_up', fault);
    },
  });
}

function createAuthentications({ config, mail, now, log }: ReaderParts): MessageAuthentications {
  const { servers, timeoutMs } = config.dns;
  if (servers.join() === 'none') return noAuthentications;
  const authenticator = createMessageAuthenticator({
    servers,
    timeoutMs,
    onFault: (fault) => {
      log.warn('authentication.gave_up', fault);
    },
  });
  return createMessageAuthentications({
    mail,
    now,
    authenticator,
    onError: (error) => {
      log.error('authentication.failed', { error });
    },
  });
}
