// POST /create-session

import { Type } from '#http-parts/json-schema';

import type { ParameterTable, ParameterValues } from '#values/parameter';
import type { CreateSessionRequest } from '../../service/addresses/create-session.ts';
import type { SessionLimits } from '../../service/session/session-limits.ts';
import { jsonAnswer } from '../answers/success.ts';
import { type Operation, publicOperation } from '../operation.ts';
import { captureParameters, checkCapture, smtpWithPasswordSchema, toSmtp } from './capture-parameters.ts';
import { email, exampleExpiry } from './examples.ts';
import {
  idParameter,
  lifetimeParameter,
  passwordParameter,
  prefixParameter,
  styleParameter,
} from './parameters.ts';
import { expiry, success, text } from '../views/schemas.ts';
import { toExpiry } from '../views/session-view.ts';

const answers = success({
  email: text('The address of the session.'),
  token: text('The session token: the only key to the session, returned only here.'),
  ...expiry,
  smtp: Type.Optional(smtpWithPasswordSchema),
  webhook_secret: Type.Optional(
    text(
      'Signs requests to `webhook_url` (Standard Webhooks); returned only here, and only with a `webhook_url`.',
    ),
  ),
});

const errors = [
  'invalid_prefix',
  'webhooks_not_allowed',
  'rate_limited',
  'too_many_sessions',
  'invalid_api_key',
  'api_key_required',
  'challenge_required',
  'insufficient_scope',
  'blocked_network',
  'reserved_prefix',
  'unknown_domain',
  'unknown_gmail_account',
  'address_taken',
  'no_domain_available',
  'no_gmail_account_available',
] as const;

const gmailParameters = {
  use_gmail: {
    kind: 'flag',
    description:
      '1 requests an alias of a Gmail account: the one of `gmail_id` or `domain_id`, else one that the server chooses.',
  },
  gmail_auto: {
    kind: 'flag',
    description: '1 lets the server choose the Gmail account, ignoring `domain_id`; implies `use_gmail`.',
  },
  gmail_id: idParameter('`id` of a Gmail account from `/domains`; not with `gmail_auto`.'),
  alias: {
    kind: 'choice',
    values: ['dot', 'plus'],
    description:
      'Kind of Gmail alias: dots within the name of the account, or a random tag after a plus sign. Dots when ' +
      'absent, unless few are left; a `prefix` makes a plus alias.',
  },
  googlemail: {
    kind: 'flag',
    description: '1 writes the Gmail alias under googlemail.com, which is the same mailbox.',
  },
} as const satisfies ParameterTable;

function createParameters(limits: SessionLimits) {
  return {
    prefix: prefixParameter(
      'User name of the address: 1 to 40 of `a-z 0-9 . _ -`, first and last a letter or digit, no two separators ' +
        'in a row; upper case is folded. Random when absent. With `use_gmail`, the part after the plus sign.',
    ),
    style: styleParameter(
      'Of a random name at a domain: `words` such as `amber.fox42`, which is the default, or `random` characters.',
    ),
    domain_id: idParameter(
      '`id` of a domain from `/domains`. When absent, the server chooses. With `use_gmail`, the id of a ' +
        'Gmail account if there is one with this id.',
    ),
    ...gmailParameters,
    ...captureParameters,
    lifetime: lifetimeParameter(limits),
    webhook_url: {
      kind: 'text',
      pattern: '^https?://[^/?#@\\s]+',
      description:
        'The URL to send events to, where the operator allows it. It first receives a `webhook.challenge`, which it ' +
        'must answer with 200 and the challenge.',
    },
    password: passwordParameter(
      'Reopens the session with `/reopen-session` when the token is lost. Stored until the session ends, in a form ' +
        'that does not reveal it.',
    ),
    challenge: {
      kind: 'text',
      description:
        'The solution of a challenge from `/challenge`, where the operator requires one: base64 of ALTCHA’s JSON.',
    },
  } as const;
}

function toRequest(parameters: ParameterValues<ReturnType<typeof createParameters>>): CreateSessionRequest {
  checkCapture(parameters);
  return {
    prefix: parameters.prefix,
    style: parameters.style,
    domainId: parameters.domain_id,
    useGmail: parameters.use_gmail,
    gmailAuto: parameters.gmail_auto,
    gmailId: parameters.gmail_id,
    alias: parameters.alias,
    isGooglemail: parameters.googlemail,
    lifetimeSeconds: parameters.lifetime,
    wantsCapture: parameters.capture,
    onFull: parameters.on_full,
  };
}

export function createSessionOperation(limits: SessionLimits): Operation {
  return publicOperation({
    name: 'createSession',
    tag: 'Sessions',
    method: 'POST',
    path: '/create-session',
    summary: 'Create a temporary address and session',
    parameters: createParameters(limits),
    answers,
    errors,
    example: {
      status: 'success',
      email,
      token: 'mf_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
      ...exampleExpiry,
      expires_in: 3600,
    },
    takesApiKey: true,
    async run({ services, access, smtp }, { parameters, caller }) {
      const { webhook_url: webhookUrl, capture: wantsCapture = false } = parameters;
      const request = toRequest(parameters);
      const grant = await access.admitCreate(caller, {
        prefix: parameters.prefix,
        challenge: parameters.challenge,
        wantsGmail: parameters.use_gmail === true || parameters.gmail_auto === true,
        wantsWebhook: webhookUrl !== undefined,
        wantsCapture,
      });
      const { password } = parameters;
      // Before the session is created, which would otherwise be left behind on failure.
      const prepared =
        password === undefined ? undefined : await services.preparePassword(password, caller.network);
      const { token, session, webhookSecret } =
        webhookUrl === undefined
          ? { ...(await services.createSession(request)), webhookSecret: undefined }
          : await services.createSessionWithWebhook(request, {
              url: webhookUrl,
              makerAddress: caller.address,
            });
      grant.recordMade(session);
      if (prepared) await services.keepPassword({ token, session }, prepared);
      const shownSmtp = toSmtp(session, smtp, caller);
      return jsonAnswer({
        email: session.address,
        token,
        ...toExpiry(session, session.createdAt),
        ...(shownSmtp ? { smtp: { ...shownSmtp, password: token } } : {}),
        ...(webhookSecret === undefined ? {} : { webhook_secret: webhookSecret }),
      });
    },
  });
}
