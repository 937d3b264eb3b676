// The tokens of standing capture sessions, in a file of the data folder with a name and a token per line. Everyone who
// can reach the service can read these sessions without a token, so the file is not secret.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name → token. They give access to sessions without a secret, and are stored so that a session survives a restart. */
export interface StandingTokens {
  find(name: string): string | undefined;
  count(): number;
  keep(name: string, token: string): void;
}

const fileName = 'standing-sessions.jsonl';

export function openStandingTokens(dataDir: string): StandingTokens {
  const file = join(dataDir, fileName);
  const tokens = readTokens(file);
  return {
    find: (name) => tokens.get(name),
    count: () => tokens.size,
    keep: (name, token) => {
      // Begin a new line, so that a line cut off by a crash does not corrupt the next.
      appendFileSync(file, `\n${JSON.stringify([name, token])}`, { mode: 0o600 });
      tokens.set(name, token);
    },
  };
}

/** Skips lines cut off by a crash, whose sessions are recreated. The last line for a name counts. */
function readTokens(file: string): Map<string, string> {
  const tokens = new Map<string, string>();
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  for (const line of text.split('\n')) {
    const [, name, token] = /^\[("(?:[^"\\]|\\.)*"),"(mf_[A-Za-z0-9_-]+)"\]$/.exec(line) ?? [];
    if (name !== undefined && token !== undefined) tokens.set(String(JSON.parse(name)), token);
  }
  return tokens;
}
