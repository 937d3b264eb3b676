// Data folders and services that are removed with the test.

import { onTestFinished } from 'vitest';

import { createDataFolder, type MayflyProcess, startMayfly } from './mayfly-process.ts';

/** Returns the path of an empty data folder. */
export async function useDataFolder(): Promise<string> {
  const folder = await createDataFolder();
  onTestFinished(folder.remove);
  return folder.path;
}

/** Starts the built service on the folder; it is killed with the test. */
export async function useMayfly(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<MayflyProcess> {
  const mayfly = await startMayfly(folder, settings);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}
