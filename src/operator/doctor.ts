// The doctor: everything that must be right for mail and the page, examined. `mayfly doctor` of cli/ calls these.

import { OperatorError } from '../service/operating/operator-error.ts';
import type { DoctorControl, ServiceState } from '../service/operating/doctor.ts';
import type { ProbeMail } from '../service/operating/probe-mail.ts';
import { type OperatorContext, operatorCommand } from './command.ts';
import { toTime } from './to-time.ts';

export const examineCommand = operatorCommand({
  method: 'GET',
  path: '/admin/doctor',
  help: 'examine the whole service: DNS, certificates, mail from outside, proxies, clock, disk, backups',
  parameters: {
    fresh: { kind: 'flag', description: 'look at everything again, and not as of the last minutes' },
  },
  async run({ operator: { doctor: own }, health }, { fresh }) {
    const { checkedAt, state, findings } = await own.examine(stateOfService(own, health), fresh === true);
    return { checked_at: toTime(checkedAt), state, findings };
  },
  print: ({ state, findings }) => [state, ...findings.map(({ what }) => what)],
});

function stateOfService(own: DoctorControl, health: OperatorContext['health']): ServiceState {
  if (!own.isServing) return 'stopped';
  const state = health.isReady();
  return state.ready ? 'running' : { unready: state.reason };
}

export const beginProbeCommand = operatorCommand({
  method: 'POST',
  path: '/admin/begin-probe',
  help: 'make an address for five minutes, to which to send a mail from elsewhere',
  parameters: { name: { kind: 'text', description: 'the domain; the first active one when absent' } },
  async run({ operator }, { name }) {
    const { address, endsAt } = await (await openProbes(operator.doctor)).begin(name);
    return { address, ends_at: toTime(endsAt) };
  },
  changes: ({ name = '' }, answer) => answer?.address ?? name,
  print: ({ address }) => [address],
});

export const readProbeCommand = operatorCommand({
  method: 'POST',
  path: '/admin/read-probe',
  help: 'show how the mail came that was sent to the address of a probe; null until one has',
  parameters: { address: { kind: 'text', required: true, description: 'the address' } },
  async run({ operator }, { address }) {
    const mail = await (await openProbes(operator.doctor)).read(address);
    if (!mail) return { mail: null };
    const { at, remoteAddress, tls, authentication, code } = mail;
    return {
      mail: {
        received_at: toTime(at),
        remote_ip: remoteAddress,
        tls,
        authentication: authentication ?? null,
        code,
      },
    };
  },
  changes: 'nothing',
  print: ({ mail }) => [mail === null ? 'No mail has come yet.' : JSON.stringify(mail)],
});

async function openProbes(control: DoctorControl): Promise<ProbeMail> {
  const probes = await control.openProbes();
  if (probes) return probes;
  throw new OperatorError('No service runs on the data folder, so no mail can come.');
}
