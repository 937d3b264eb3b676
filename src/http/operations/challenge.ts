// GET /challenge

import { Type } from '#http-parts/json-schema';

import { jsonAnswer } from '../answers/success.ts';
import { publicOperation } from '../operation.ts';
import { success, text } from '../views/schemas.ts';

export const challengeOperation = publicOperation({
  name: 'challenge',
  tag: 'Sessions',
  method: 'GET',
  path: '/challenge',
  summary: 'Get a proof of work for create-session, where the operator requires one',
  description:
    'In the form of ALTCHA: find the number from 0 to `maxnumber` for which the SHA-256 of `salt` and the number, in ' +
    'decimal, is `challenge`. Send base64 of `{algorithm, challenge, number, salt, signature}` as `challenge` with ' +
    'create-session, within five minutes; it is valid once. Unless `required`, there is nothing to solve, as for a caller ' +
    'with an API key; a wrong key is refused.',
  parameters: {},
  answers: success({
    required: Type.Boolean({ description: 'Whether create-session needs a solution.' }),
    algorithm: Type.Optional(text('`SHA-256`.')),
    challenge: Type.Optional(text('Hex.')),
    maxnumber: Type.Optional(Type.Integer()),
    salt: Type.Optional(Type.String()),
    signature: Type.Optional(text('Hex; to be sent back unchanged.')),
  }),
  example: {
    status: 'success',
    required: true,
    algorithm: 'SHA-256',
    challenge: 'a3d1f46b9c0e8d27a3d1f46b9c0e8d27a3d1f46b9c0e8d27a3d1f46b9c0e8d27',
    maxnumber: 100_000,
    salt: '8d1f0c3b?expires=1769864700',
    signature: '5b0e8d27a3d1f46b9c0e8d27a3d1f46b9c0e8d27a3d1f46b9c0e8d27a3d1f46b',
  },
  takesApiKey: true,
  errors: ['invalid_api_key'],
  run({ access }, { caller }) {
    const challenge = access.issueChallenge(caller);
    return jsonAnswer({ required: challenge !== undefined, ...challenge });
  },
});
