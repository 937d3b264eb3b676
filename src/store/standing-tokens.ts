// The tokens of standing capture sessions, in a file of the data folder with a digest of a name and a token per line.
// Everyone who can reach the service can read these sessions without a token, so those are not secret. Names may be: an
// API key of another service names an inbox too.

import { createHash } from 'node:crypto';
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
    find: (name) => tokens.get(digest(name)),
    count: () => tokens.size,
    keep: (name, token) => {
      const key = digest(name);
      // Begin a new line, so that a line cut off by a crash does not corrupt the next.
      appendFileSync(file, `\n${JSON.stringify([key, token])}`, { mode: 0o600 });
      tokens.set(key, token);
    },
  };
}

function digest(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}

/** By digest. Skips lines cut off by a crash, whose sessions are recreated. The last line for a name counts. */
function readTokens(file: string): Map<string, string> {
  const tokens = new Map<string, string>();
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  for (const line of text.split('\n')) {
    const [, name, token] = /^\[("(?:[^"\\]|\\.)*"),"(mf_[A-Za-z0-9_-]+)"\]$/.exec(line) ?? [];
    if (name !== undefined && token !== undefined) tokens.set(String(JSON.parse(name)), token);
  }
  return tokens;
}
