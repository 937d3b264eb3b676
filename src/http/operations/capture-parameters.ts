// The parameters of create-session for capture sessions, and the view of their SMTP access.

import { Type } from '#http-parts/json-schema';

import { captureLabel, type OnFull, onFullValues } from '../../domain/addresses/capture.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { ParameterTable } from '#values/parameter';
import type { Session } from '../../domain/session.ts';
import type { Caller } from '../caller.ts';
import type { SmtpAddress } from '../operation.ts';
import { count, text } from '../views/schemas.ts';

export const captureParameters = {
  capture: {
    kind: 'flag',
    description:
      '1 creates a capture session: every address at a label of the domain, `*@LABEL.domain`, and all mail sent over ' +
      'a connection that authenticates with `smtp`. For API keys with the scope `capture`, and for programs on the ' +
      'machine itself if the service has no public URL.',
  },
  on_full: {
    kind: 'choice',
    values: onFullValues,
    description:
      'What a full capture session does: `refuse` further mail, which is the default and the rule for other sessions, ' +
      'or `drop_oldest` messages to make room, with an event `message.dropped` for each.',
  },
} as const satisfies ParameterTable;

/** Parameters that choose one address; a capture session has all addresses of its label. */
const ofOneAddress = ['prefix', 'use_gmail', 'gmail_auto', 'gmail_id', 'alias', 'googlemail'] as const;

type Given = Readonly<Partial<Record<(typeof ofOneAddress)[number] | 'capture' | 'on_full', unknown>>>;

/** @throws MayflyError conflicting_parameters, invalid_parameter */
export function checkCapture(given: Given): void {
  if (given.capture !== true) {
    if (given.on_full === undefined) return;
    throw new MayflyError('invalid_parameter', '`on_full` is for capture sessions: add `capture=1`.', {
      parameter: 'on_full',
    });
  }
  const parameter = ofOneAddress.find((name) => given[name] !== undefined && given[name] !== false);
  if (parameter === undefined) return;
  throw new MayflyError('conflicting_parameters', `\`capture\` and \`${parameter}\` exclude each other.`, {
    parameter,
  });
}

const access = {
  host: text('The host to send mail to by SMTP.'),
  port: count('Its port.'),
  username: text('The label of the session.'),
};

export const smtpSchema = Type.Object(access);

export const smtpWithPasswordSchema = Type.Object({
  ...access,
  password: text('The session token.'),
});

export const onFullSchema = Type.Enum([...onFullValues]);

export function toOnFull({ dropsOldest }: Session): OnFull {
  return dropsOldest === true ? 'drop_oldest' : 'refuse';
}

export interface ShownSmtp {
  readonly host: string;
  readonly port: number;
  readonly username: string;
}

/** Returns undefined for any other session. */
export function toSmtp(session: Session, smtp: SmtpAddress, caller: Caller): ShownSmtp | undefined {
  const username = captureLabel(session);
  if (username === undefined) return undefined;
  return { host: caller.isLocal ? smtp.localHost : smtp.host, port: smtp.port, username };
}
