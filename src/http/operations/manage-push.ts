// GET /push-key, POST /subscribe-push, POST /unsubscribe-push: notifications of new mail while the page is closed. For
// the session's holder only.

import { Type } from '#http-parts/json-schema';

import { pushEndpointMaxLength } from '#notifications/push-subscription';
import { jsonAnswer } from '../answers/success.ts';
import { type Operation, publicOperation, sessionOperation } from '../operation.ts';
import { orNull, success, text } from '../views/schemas.ts';

const exampleId = 'q3Zk0m1xTn2bVd7sYw8LhA';

export const pushKeyOperation = publicOperation({
  name: 'pushKey',
  tag: 'Events',
  method: 'GET',
  path: '/push-key',
  summary: 'The key of this service for Web Push, where the operator offers it',
  parameters: {},
  answers: success({
    public_key: orNull(
      text('Uncompressed P-256 point in base64url, for `applicationServerKey`; null where push is off.'),
    ),
  }),
  example: {
    status: 'success',
    public_key: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  },
  errors: [],
  run: ({ services }) => jsonAnswer({ public_key: services.pushKey }),
});

const subscribePushOperation = sessionOperation({
  name: 'subscribePush',
  tag: 'Events',
  method: 'POST',
  path: '/subscribe-push',
  summary: 'Notify a browser of new mail while the page is closed',
  description:
    'Accepts the result of `PushManager.subscribe()`. A push message reports new mail as JSON with `subscription` (the ' +
    'id returned here) and `message` (the id of the newest one), encrypted for the browser (RFC 8291); it contains nothing ' +
    'of the mail. Endpoints must be at a push service that the operator allows. A session has at most five; another ' +
    'one replaces the oldest, or the earlier one with the same endpoint. They end with the session.',
  parameters: {
    endpoint: {
      kind: 'text',
      required: true,
      maxLength: pushEndpointMaxLength,
      description: '`endpoint` of the subscription, an https URL.',
    },
    p256dh: {
      kind: 'text',
      required: true,
      maxLength: 100,
      description: 'Its public key, in base64url.',
    },
    auth: { kind: 'text', required: true, maxLength: 50, description: 'Its secret, in base64url.' },
  },
  answers: success({
    subscription_id: text(
      'Identifies the subscription in push messages and for `/unsubscribe-push`; grants no access.',
    ),
  }),
  example: { status: 'success', subscription_id: exampleId },
  errors: ['not_found'],
  async run({ services }, { live, parameters }) {
    const { id } = await services.subscribePush(live, parameters);
    return jsonAnswer({ subscription_id: id });
  },
});

const unsubscribePushOperation = sessionOperation({
  name: 'unsubscribePush',
  tag: 'Events',
  method: 'POST',
  path: '/unsubscribe-push',
  summary: 'Stop notifying a browser',
  parameters: {
    subscription_id: {
      kind: 'text',
      required: true,
      maxLength: 100,
      description: '`subscription_id` of the subscription.',
    },
  },
  answers: success({
    removed: Type.Boolean({ description: 'Whether the session had it.' }),
  }),
  example: { status: 'success', removed: true },
  errors: [],
  async run({ services }, { live, parameters }) {
    return jsonAnswer({ removed: await services.unsubscribePush(live, parameters.subscription_id) });
  },
});

/** The operations for sessions, where push is offered. */
export const pushOperations: readonly Operation[] = [subscribePushOperation, unsubscribePushOperation];
