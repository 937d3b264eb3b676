// Every operator command, in the order of the help. A new one needs its definition in a noun's file and a use case in
// service/.

import { audit } from './audit.ts';
import { blocks } from './blocks.ts';
import { certificates } from './certificates.ts';
import type { Noun, OperatorCommand } from './command.ts';
import { deliveries } from './deliveries.ts';
import { dns } from './dns.ts';
import { domains } from './domains.ts';
import { gmail, secret } from './gmail.ts';
import { inbound } from './inbound.ts';
import { keys } from './keys.ts';
import { logStream } from './log.ts';
import { overview } from './overview.ts';
import { passkeys } from './passkeys.ts';
import { refusals } from './refusals.ts';
import { serverKey } from './server-key.ts';
import { service } from './service.ts';
import { sessions } from './sessions.ts';
import { statistics } from './statistics.ts';
import { webhooks } from './webhooks.ts';

export const nouns: readonly Noun[] = [
  ...[
    domains,
    dns,
    certificates,
    keys,
    passkeys,
    sessions,
    deliveries,
    refusals,
    blocks,
    inbound,
    statistics,
    overview,
  ],
  ...[service, gmail, secret, serverKey, webhooks, audit],
];

export const operatorCommands: readonly OperatorCommand[] = nouns.flatMap(({ commands }) => commands);

/** Answers without an end, which are not offered on the command line. */
export const operatorStreams = [logStream] as const;
