// The dialects served. Each answers unknown paths that look like its own; the first answers all others.

import type { Dialect } from './dialect.ts';
import { guerrilla } from './guerrilla/guerrilla.ts';
import { inbucket } from './inbucket/inbucket.ts';
import { mailhog } from './mailhog/mailhog.ts';
import { mailosaur } from './mailosaur/mailosaur.ts';
import { mailpit } from './mailpit/mailpit.ts';
import { mailtm } from './mailtm/mailtm.ts';
import { senderDialects } from './senders/senders.ts';

export const dialects: readonly [Dialect, ...Dialect[]] = [
  mailpit,
  mailtm,
  guerrilla,
  mailhog,
  mailosaur,
  inbucket,
  // For mail that applications send.
  ...senderDialects,
];
