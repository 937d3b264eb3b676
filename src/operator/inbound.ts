// `mayfly inbound`: routes by which other services hand over mail, where port 25 cannot be reached.

import { type Provider, providers } from '#inbound/provider';
import { addInbound, removeInbound } from '../service/operating/manage-inbound.ts';
import { type Noun, operatorCommand } from './command.ts';
import { formatTable } from './format-table.ts';
import { toTime } from './to-time.ts';

const name = { kind: 'text', required: true, description: 'the route’s name', operand: 'NAME' } as const;

const add = operatorCommand({
  method: 'POST',
  path: '/admin/add-inbound',
  words: 'inbound add',
  help:
    'take mail from another service by HTTP: our worker at Cloudflare, SES, Mailgun, Postmark, SendGrid, or a program ' +
    'of yours (raw). What it must be set up with is shown only once',
  parameters: {
    name,
    from: {
      kind: 'choice',
      values: providers,
      required: true,
      description: 'the service',
      option: { name: 'from' },
    },
    signing_key: {
      kind: 'text',
      description: 'Mailgun’s HTTP webhook signing key',
      option: { name: 'signing-key-file', value: 'FILE', readContent: (text) => text.trim() },
    },
    topic: {
      kind: 'text',
      description: 'the topic of SNS that the receipt rule of SES publishes to',
      option: { name: 'topic', value: 'ARN' },
    },
    public_key: {
      kind: 'text',
      description: 'of SendGrid’s security policy; a password in the URL without it',
      option: { name: 'public-key', value: 'KEY' },
    },
    trust: {
      kind: 'text',
      description: 'whose Authentication-Results tell SPF, e.g. mx.cloudflare.net (default: none)',
      option: { name: 'trust', value: 'ID' },
    },
  },
  async run({ operator }, { name: route, from, trust, topic, ...given }) {
    const { signing_key: signingKey, public_key: publicKey } = given;
    const request = { name: route, from, trusts: trust, topicArn: topic, signingKey, publicKey };
    const added = await addInbound(operator, request);
    const { shown } = added;
    return {
      name: added.name,
      from: added.from,
      url: added.url,
      secret: shown?.kind === 'secret' ? shown.value : null,
      password: shown?.kind === 'password' ? shown.value : null,
    };
  },
  changes: ({ name: route, from }) => `${route} from ${from}`,
  print: ({ name: route, from, url, secret, password }) => [
    `Route ${route} takes mail from ${from}.`,
    `URL: ${password === null ? url : withCredentials(url, route, password)}`,
    ...(secret === null ? [] : [`secret: ${secret}`]),
    nextStep[from],
    ...(secret === null && password === null ? [] : ['This is shown only once.']),
  ],
});

/** The operator's next step, in one line; docs/inbound.md has the rest. */
const nextStep: Readonly<Record<Provider, string>> = {
  cloudflare: 'Give both to the worker in deploy/cloudflare, and let Email Routing send mail to it.',
  ses: 'Subscribe this URL to the topic, with HTTPS and without raw message delivery.',
  mailgun: 'Make a route with forward() to this URL.',
  postmark: 'Enter it as the inbound webhook, and include raw email content in the JSON payload.',
  sendgrid: 'Enter it as the inbound parse URL, and post the raw, full MIME message.',
  raw: 'Sign each request by Standard Webhooks.',
};

function withCredentials(url: string, user: string, password: string): string {
  return url.replace('://', `://${user}:${password}@`);
}

const list = operatorCommand({
  method: 'GET',
  path: '/admin/inbound',
  words: 'inbound list',
  help: 'list the routes by which other services hand over mail',
  parameters: {},
  async run({ operator }) {
    const routes = await operator.inbound.listRoutes();
    return {
      routes: routes.map(({ name: route, provider, trusts, createdAt }) => ({
        name: route,
        from: provider,
        url: operator.inboundUrl(route, provider as Provider),
        trusts,
        created_at: toTime(createdAt),
      })),
    };
  },
  print({ routes }) {
    if (routes.length === 0) return ['No routes. Add one: mayfly inbound add NAME --from SERVICE'];
    const rows = routes.map((one) => [one.name, one.from, one.url, one.trusts ?? '', one.created_at ?? '']);
    return formatTable([['NAME', 'FROM', 'URL', 'TRUSTS', 'SINCE'], ...rows]);
  },
});

const remove = operatorCommand({
  method: 'POST',
  path: '/admin/remove-inbound',
  words: 'inbound remove',
  help: 'take no more mail by the route',
  parameters: { name },
  run: async ({ operator }, given) => ({ name: await removeInbound(operator, given.name) }),
  changes: ({ name: route }) => route,
  print: ({ name: removed }) => [`Route ${removed} is removed.`],
});

export const inbound: Noun = { word: 'inbound', commands: [add, list, remove] };
