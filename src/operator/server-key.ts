// `mayfly server-key`: what an operator does who lost `server.key`, or replaces one that others may know.

import { forgetServerKey } from '../service/operating/forget-server-key.ts';
import { type Noun, operatorCommand } from './command.ts';

const forget = operatorCommand({
  method: 'POST',
  path: '/admin/forget-server-key',
  words: 'server-key forget',
  help:
    'let the next start use another server.key, when it is lost or must be replaced. What the old one sealed ends: ' +
    'passwords, webhooks and push subscriptions of live sessions, and links five minutes old at most; mail does not',
  isLocal: true,
  parameters: {},
  async run({ operator }) {
    await forgetServerKey(operator);
    return { forgotten: true };
  },
  changes: () => '',
  print: () => [
    'The next node that starts decides which server.key all use: it takes the one in its data folder, or makes one.',
    'Stop all nodes, remove the old file from each, start one, copy its server.key to the others, and start them.',
  ],
});

export const serverKey: Noun = { word: 'server-key', commands: [forget] };
