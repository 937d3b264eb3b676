// GET /domains

import { Type } from '#http-parts/json-schema';

import { jsonAnswer } from '../answers/success.ts';
import { publicOperation } from '../operation.ts';
import { success, text } from '../views/schemas.ts';

export const domain = Type.Object({
  id: Type.Integer({ description: '`domain_id` of create-session.' }),
  domain: Type.String(),
});

export const gmailAccount = Type.Object({
  id: Type.Integer({ description: '`gmail_id` of create-session.' }),
  email: text('The account; the operator may mask it.'),
});

export const listDomainsOperation = publicOperation({
  name: 'listDomains',
  tag: 'Sessions',
  method: 'GET',
  path: '/domains',
  summary: 'List available domains and Gmail accounts',
  parameters: {},
  answers: success({
    domains: Type.Array(domain),
    gmail_accounts: Type.Array(gmailAccount),
  }),
  example: {
    status: 'success',
    domains: [{ id: 1, domain: 'mayfly.test' }],
    gmail_accounts: [{ id: 1, email: 'operator@gmail.com' }],
  },
  errors: [],
  async run({ services }) {
    const { domains, gmailAccounts } = await services.listDomains();
    return jsonAnswer({
      domains: domains.map(({ id, name }) => ({ id, domain: name })),
      gmail_accounts: gmailAccounts.map(({ id, email }) => ({ id, email })),
    });
  },
});
