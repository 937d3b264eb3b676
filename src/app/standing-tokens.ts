// The tokens of standing capture sessions, in a file of the data folder with a name and a token per line. Everyone who
// can reach the service can read these sessions without a token, so the file is not secret.

import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { StandingTokens } from '../service/standing-captures.ts';

const fileName = 'standing-sessions.jsonl';

export function openStandingTokens(dataDir: string): StandingTokens {
  const file = join(dataDir, fileName);
  const tokens = readTokens(file);
  return {
    find: (name) => tokens.get(name),
    count: () => tokens.size,
    keep: (name, token) => {
      // Begin a new line, so that a line cut off by a crash spoils no other.
      appendFileSync(file, `\n${JSON.stringify([name, token])}`, { mode: 0o600 });
      tokens.set(name, token);
    },
  };
}

/** Skips lines cut off by a crash, whose sessions are made again. The last line of a name counts. */
function readTokens(file: string): Map<string, string> {
  const tokens = new Map<string, string>();
  for (const line of readLines(file)) {
    const [, name, token] = /^\[("(?:[^"\\]|\\.)*"),"(mf_[A-Za-z0-9_-]+)"\]$/.exec(line) ?? [];
    if (name !== undefined && token !== undefined) tokens.set(String(JSON.parse(name)), token);
  }
  return tokens;
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return [];
    throw error;
  }
}
