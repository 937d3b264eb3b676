// GET /healthz and GET /readyz, for supervisors and load balancers.

import { MayflyError } from '../../domain/mayfly-error.ts';
import { jsonAnswer } from '../answers/success.ts';
import { type Operation, publicOperation } from '../operation.ts';
import { success } from '../views/schemas.ts';

const healthzOperation = publicOperation({
  name: 'healthz',
  tag: 'Health',
  method: 'GET',
  path: '/healthz',
  summary: 'Whether the process answers',
  parameters: {},
  answers: success({}),
  example: { status: 'success' },
  errors: [],
  run: () => jsonAnswer({}),
});

const readyzOperation = publicOperation({
  name: 'readyz',
  tag: 'Health',
  method: 'GET',
  path: '/readyz',
  summary: 'Whether the service can do its work',
  parameters: {},
  answers: success({}),
  example: { status: 'success' },
  errors: [],
  run({ health }) {
    const state = health.isReady();
    if (state.ready) return jsonAnswer({});
    throw new MayflyError('unavailable', `Not ready: ${state.reason}.`);
  },
});

export const healthOperations: readonly Operation[] = [healthzOperation, readyzOperation];
