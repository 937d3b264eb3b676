// The Go client in the scenarios that every client passes.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, it } from 'vitest';

import { runWell } from '../support/servers/run-program.ts';
import { describeClient } from '../support/clients/scenario-player.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-go-'));
const program = path.join(folder, 'player');
const inModule = { cwd: 'clients/go' };

beforeAll(async () => {
  await runWell('go', ['build', '-o', program, './internal/player'], inModule);
}, 240_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

it('passes go vet', { timeout: 240_000 }, async () => {
  await runWell('go', ['vet', './...'], inModule);
});

describeClient('Go', { program, words: [] });
