// The steps that set up this machine. Before the zone leads here they only write; then the service is started.

import { stat } from 'node:fs/promises';

import { fileStep, folderStep } from './file-step.ts';
import { backupDir, dataDir, type PlannedFile } from './plan-files.ts';
import { done, type Step } from './run-steps.ts';
import { allUnits, findUser, isActive, isEnabled, runTool, sockets, startedAt } from './machine.ts';

/** The user, its folders, and the files; nothing is started. */
export function writingSteps(files: readonly PlannedFile[]): Step[] {
  const ofUser = async (mode: number) => ({ mode, ...(await requireUser()) });
  return [
    userStep(),
    // Files in it belong to the group, whichever editor replaces them.
    folderStep('/etc/mayfly', async () => ({ mode: 0o2750, uid: 0, gid: (await requireUser()).gid })),
    folderStep(dataDir, () => ofUser(0o700)),
    folderStep(backupDir, () => ofUser(0o700)),
    ...files.map(fileStep),
  ];
}

async function requireUser(): Promise<{ readonly uid: number; readonly gid: number }> {
  const user = await findUser();
  if (!user) throw new Error('There is no user mayfly.');
  return user;
}

function userStep(): Step {
  return {
    name: 'the user mayfly',
    check: async () => ((await findUser()) ? done : 'it is not there'),
    apply: async () => {
      const place = ['--no-create-home', '--home-dir', dataDir, '--shell', '/usr/sbin/nologin'];
      await runTool('useradd', '--system', '--user-group', ...place, 'mayfly');
    },
    undo: async () => {
      if (await findUser()) await runTool('userdel', 'mayfly');
    },
  };
}

/** @param files paths of those that the service reads when it starts */
export function startingStep(files: readonly string[]): Step {
  /** Not to be left enabled when a later step fails. */
  let fresh: readonly string[] = [];
  return {
    name: 'the service',
    async check() {
      const enabled = await Promise.all(allUnits.map(isEnabled));
      fresh = allUnits.filter((_, at) => enabled[at] !== true);
      if (fresh.length > 0) return 'it is not started with the machine';
      if (!(await Promise.all(allUnits.map(isActive))).every(Boolean)) return 'it does not run';
      const changedAt = Math.max(
        ...(await Promise.all(files.map((file) => stat(file)))).map((one) => one.mtimeMs),
      );
      return changedAt > (await startedAt('mayfly.service')) ? 'its settings or units are newer' : done;
    },
    async apply() {
      await runTool('systemctl', 'daemon-reload');
      await runTool('systemctl', 'enable', '--quiet', ...allUnits);
      await runTool('systemctl', 'start', ...sockets, 'mayfly-backup.timer');
      await runTool('systemctl', 'restart', 'mayfly.service');
    },
    async undo() {
      if (fresh.length > 0) await runTool('systemctl', 'disable', '--quiet', '--now', ...fresh);
    },
  };
}

/** For a service that ran before, with the files that were put back. */
export async function resumeService(): Promise<void> {
  await runTool('systemctl', 'daemon-reload');
  await runTool('systemctl', 'restart', 'mayfly.service');
}
