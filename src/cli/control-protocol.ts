// What operator commands ask of a running service: one JSON line each way over a socket in the data folder, which
// only its owner can open (mode 0600). Shared by the two ends.

import { join } from 'node:path';

export type ControlRequest =
  | { readonly command: 'domain-add'; readonly name: string; readonly quarantineSeconds?: number | undefined }
  | { readonly command: 'domain-list' }
  | { readonly command: 'domain-disable' | 'domain-remove'; readonly name: string };

export type ControlResponse =
  { readonly ok: true; readonly lines: readonly string[] } | { readonly ok: false; readonly message: string };

/** Runs a command where the store is open. */
export type ExecuteControl = (request: ControlRequest) => Promise<ControlResponse>;

/** Longest line either end reads. */
export const controlLineMaxBytes = 1024 * 1024;

export function controlSocketPath(dataDir: string): string {
  return join(dataDir, 'mayfly.sock');
}
