import { expect, inject, it, onTestFinished } from 'vitest';

import { createMessageAuthenticator, type MessageAuthenticatorOptions } from './authenticate-message.ts';

const request = () => ({
  raw: new Uint8Array(Buffer.from('From: me@good.test\r\n\r\nHello.\r\n')),
  remoteAddress: '192.0.2.1',
  helo: 'mx.good.test',
  mailFrom: null,
  fromDomain: 'good.test',
});

function create(worker: string | URL, given: Partial<MessageAuthenticatorOptions> = {}) {
  const faults: string[] = [];
  const authenticator = createMessageAuthenticator({
    servers: ['127.0.0.1:1'],
    timeoutMs: 200,
    workerUrl:
      typeof worker === 'string' ? new URL(`data:text/javascript,${encodeURIComponent(worker)}`) : worker,
    onFault: ({ detail }) => void faults.push(detail),
    ...given,
  });
  onTestFinished(() => authenticator.close());
  return { authenticator, faults };
}

const listen =
  "import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ kind: 'ready' }); parentPort.on('message', ";

it('answers from the real thread, with the DNS down', async () => {
  const { authenticator, faults } = create(
    new URL(`file://${inject('buildDir')}/packages/mail-threads/authentication-worker.js`),
  );
  const both = await Promise.all([
    authenticator.authenticate(request()),
    authenticator.authenticate(request()),
  ]);
  for (const found of both) {
    expect(found).toMatchObject({
      spf: { result: 'temperror', domain: 'mx.good.test' },
      dkim: { result: 'none' },
      dmarc: { result: 'temperror', domain: 'good.test' },
      arc: { result: 'none' },
    });
  }
  expect(faults).toEqual([]);
});

it('ends a thread that hangs, and starts another for the next message', async () => {
  const { authenticator, faults } = create(
    `${listen} ({ id, request }) => {
       if (request.helo === 'hang') for (;;);
       parentPort.postMessage({ kind: 'answer', id, answer: { spf: 'from ' + request.helo } });
     });`,
    { giveUpMs: 300 },
  );
  const hung = await authenticator.authenticate({ ...request(), helo: 'hang' });
  expect(hung).toBeUndefined();
  expect(faults).toEqual(['took longer than 0.3 s']);
  expect(await authenticator.authenticate({ ...request(), helo: 'next' })).toEqual({ spf: 'from next' });
});

it.each([
  ['dies', 'process.exit(3)', 'exit code 3'],
  ['throws', "throw new Error('broken')", 'broken'],
])('leaves what a thread that %s had open', async (_, code, fault) => {
  const { authenticator, faults } = create(`${listen} () => { ${code}; });`);
  expect((await authenticator.authenticate(request()))?.spf.result).toBe('temperror');
  expect(faults).toEqual([fault]);
});

it('leaves open a check that fails, and goes on', async () => {
  const { authenticator, faults } = create(
    `${listen} ({ id }) => parentPort.postMessage(id === 1 ? { kind: 'error', id, detail: 'odd' } : { kind: 'answer', id, answer: id }));`,
  );
  expect((await authenticator.authenticate(request()))?.spf).toMatchObject({ result: 'temperror' });
  expect(await authenticator.authenticate(request())).toBe(2);
  expect(faults).toEqual(['odd']);
});

it('lets nothing that mailauth prints reach the standard output, and answers nothing once closed', async () => {
  const { authenticator } = create(`${listen} ({ id }) => {
    console.log('printed by the worker');
    parentPort.postMessage({ kind: 'answer', id, answer: process.stdout.isTTY ?? 'piped' });
  });`);
  expect(await authenticator.authenticate(request())).toBe('piped');
  await authenticator.close();
  expect(await authenticator.authenticate(request())).toBeUndefined();
});
