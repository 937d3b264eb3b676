// The recorded answers of other catchers of mail, in test/fixtures/peers.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { Answers } from './fields.ts';

export interface Recorded {
  /** The module and version that answered. */
  readonly program: string;
  readonly answers: Answers;
}

function fileOf(name: string): string {
  return path.resolve(`test/fixtures/peers/${name}.json`);
}

export function readRecorded(name: 'mailpit' | 'inbucket'): Recorded {
  return JSON.parse(readFileSync(fileOf(name), 'utf8')) as Recorded;
}

export function writeRecorded(name: 'mailpit' | 'inbucket', recorded: Recorded): void {
  writeFileSync(fileOf(name), `${JSON.stringify(recorded, null, 1)}\n`);
}
