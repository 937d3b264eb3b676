// POST /reopen-session: returns to a session by its password when the token is lost.

import { toPasswordTries } from '../access/access.ts';
import { jsonAnswer } from '../answers/success.ts';
import { publicOperation } from '../operation.ts';
import { email, exampleExpiry } from './examples.ts';
import { passwordParameter } from './parameters.ts';
import { expiry, success, text } from '../views/schemas.ts';
import { toExpiry } from '../views/session-view.ts';

export const reopenSessionOperation = publicOperation({
  name: 'reopenSession',
  tag: 'Sessions',
  method: 'POST',
  path: '/reopen-session',
  summary: 'Recover the token of a session by its password',
  description:
    'For a session that was given a password by `/create-session`. Wrong passwords count like wrong tokens, and an ' +
    'address without a session is answered like a wrong password.',
  parameters: {
    email: { kind: 'text', required: true, description: 'The address of the session.' },
    password: { ...passwordParameter('The session’s.'), required: true },
  },
  answers: success({
    email: text('The address of the session.'),
    token: text('The session token: the only key to the session.'),
    ...expiry,
  }),
  example: {
    status: 'success',
    email,
    token: 'mf_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
    ...exampleExpiry,
    expires_in: 3600,
  },
  errors: ['wrong_password', 'rate_limited'],
  async run({ services, access }, { parameters, caller }) {
    const { email: address, password } = parameters;
    const tries = toPasswordTries(access, caller);
    const { token, session, now } = await services.reopenByPassword({ address, password }, tries);
    return jsonAnswer({ email: session.address, token, ...toExpiry(session, now) });
  },
});
