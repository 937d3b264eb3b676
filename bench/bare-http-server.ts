// A separate process, the floor of every HTTP figure: node:http without a framework, answering each path with the
// bytes that the service gave for it. Reads its answers from the first line of standard input and ends when that
// closes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

import type { FixedAnswer } from './fixed-answer.ts';

let answers: Readonly<Record<string, FixedAnswer>> = {};

const server = createServer((request, response) => {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const answer = answers[path];
  // Drains a body from the connection, as any server must.
  request.resume();
  if (answer === undefined) {
    response.writeHead(404, { 'content-length': 0 }).end();
    return;
  }
  response.writeHead(200, answer.headers).end(answer.body);
});

const input = createInterface({ input: process.stdin });
input.once('line', (line) => {
  answers = JSON.parse(line) as typeof answers;
  server.listen(0, '127.0.0.1', 511, () => {
    process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`);
  });
});
input.once('close', () => process.exit(0));
