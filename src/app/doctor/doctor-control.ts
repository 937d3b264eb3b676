// The doctor as the operator's commands have it: loaded when it is first asked for. Part of the composition root.

import type { DirectoryStore } from '../../store/directory-store.ts';
import type { Doctor, DoctorControl } from '../../service/operating/doctor.ts';
import type { ProbeMail, ProbeUses } from '../../service/operating/probe-mail.ts';
import { openOnce } from '../../domain/open-once.ts';
import type { DoctorParts } from './open-doctor.ts';

export interface OwnDoctor extends DoctorControl {
  /** Called when a service runs, which can receive mail. */
  useMail(uses: ProbeUses): void;
}

export function createDoctorControl(
  parts: Omit<DoctorParts, 'probeArrivals'> & {
    readonly directory: DirectoryStore;
    readonly now: () => number;
  },
): OwnDoctor {
  let uses: ProbeUses | undefined;
  let probes: ProbeMail | undefined;
  const open = openOnce(async (): Promise<Doctor> => {
    const { openDoctor } = await import('./open-doctor.ts');
    return openDoctor({ ...parts, probeArrivals: () => probes?.arrivals() ?? [] });
  });
  return {
    get isServing() {
      return uses !== undefined;
    },
    async openProbes() {
      const { createProbeMail } = await import('../../service/operating/probe-mail.ts');
      probes ??= uses && createProbeMail(uses, parts);
      return probes;
    },
    useMail(given) {
      uses = given;
    },
    examine: async (service, isFresh) => (await open()).examine(service, isFresh),
  };
}
