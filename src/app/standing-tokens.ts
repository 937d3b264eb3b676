// The tokens of standing capture sessions, in a file of the data folder: one line for each, a name and its token. Whoever
// reaches the service reads these sessions without them, so the file says nothing that is secret.

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
      // Begins the line, so that one that a crash cut off spoils no other.
      appendFileSync(file, `\n${JSON.stringify([name, token])}`, { mode: 0o600 });
      tokens.set(name, token);
    },
  };
}

/** A line that a crash cut off is left out: its session is made anew. The last line of a name holds. */
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
