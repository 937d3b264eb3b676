import { expect, it } from 'vitest';

import { type DmarcCheck, unfinishedAuthentication } from '#mail-receiver/authentication';
import { openServices, plainMail, toIncoming } from '../../../test/support/service/service-fixture.ts';
import { noAuthentications } from '../mail/message-authentications.ts';
import { receiveMessage } from './receive-message.ts';

const failed: DmarcCheck = {
  result: 'fail',
  domain: 'example.org',
  reason: null,
  policy: 'reject',
  isTesting: false,
};

async function open(dmarc: DmarcCheck | undefined, refusesDmarcReject = true) {
  const services = await openServices();
  const session = await services.lend();
  await services.store.directory.changeDomain('mayfly.test', { refusesDmarcReject });
  let checks = 0;
  const check = () => {
    checks += 1;
    return Promise.resolve(dmarc && { ...unfinishedAuthentication('no matter'), dmarc });
  };
  const deps = { ...services.deps, authentications: { ...noAuthentications, check } };
  const { outcome } = await receiveMessage(deps, toIncoming(plainMail('x')), [session]);
  const stored = (await services.refresh(session)).messageCount;
  return { outcome, stored, checks };
}

it('refuses mail that fails DMARC where the sender wants that and the domain obeys, and stores nothing', async () => {
  expect(await open(failed)).toEqual({ outcome: 'forged', stored: 0, checks: 1 });
});

it('does not even look where no domain wants it', async () => {
  expect(await open(failed, false)).toEqual({ outcome: 'stored', stored: 1, checks: 0 });
});

it.each<[string, DmarcCheck | undefined]>([
  ['passes', { ...failed, result: 'pass' }],
  ['has no policy', { ...failed, result: 'none', policy: null }],
  ['is to be put in quarantine', { ...failed, policy: 'quarantine' }],
  ['fails while the policy is tried out', { ...failed, isTesting: true }],
  ['is not known because of the DNS', { ...failed, result: 'temperror' }],
  ['cannot be judged', { ...failed, result: 'permerror' }],
  ['is not known in time', undefined],
])('takes mail that %s', async (_, dmarc) => {
  expect(await open(dmarc)).toMatchObject({ outcome: 'stored', stored: 1 });
});
