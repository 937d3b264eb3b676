// A client in another language: its player reads scenarios and writes what became of them, a line of JSON each.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { readScenarios, type Scenario } from './scenarios.ts';
import { startScenarioService } from './scenario-service.ts';

export interface PlayerCommand {
  readonly program: string;
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Played {
  readonly ok: boolean;
  readonly error?: string;
}

/**
 * Has the player play the scenarios, one after the other: those that share a service, and of the others those that are
 * asked for.
 */
export function describeClient(command: PlayerCommand, { withFaults }: { withFaults: boolean }): void {
  const scenarios = readScenarios();
  it('plays the scenarios that share a service', { timeout: 240_000 }, async () => {
    await playAll(
      command,
      scenarios.filter(({ settings, restarts }) => !settings && !restarts),
      {},
    );
  });
  if (!withFaults) return;
  describe('a service of its own', () => {
    it.for(scenarios.filter(({ settings, restarts }) => settings ?? restarts))(
      '$file: $name',
      { timeout: 120_000 },
      async (scenario) => {
        await playAll(command, [scenario], scenario.settings ?? {});
      },
    );
  });
}

async function playAll(
  { program, words, env = {} }: PlayerCommand,
  scenarios: readonly Scenario[],
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const service = await startScenarioService(settings);
  const player = spawn(program, words, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const { url, control } = service;
    const answers = readLines(player);
    for (const scenario of scenarios) {
      player.stdin.write(`${JSON.stringify({ scenario, url, control })}\n`);
      const { value } = (await answers.next()) as { value: string | undefined };
      if (value === undefined) throw new Error(`The player ended at ${scenario.name}`);
      const { ok, error } = JSON.parse(value) as Played;
      expect(ok, `${scenario.name}: ${error ?? ''}`).toBe(true);
    }
  } finally {
    player.kill('SIGKILL');
    await service.close();
  }
}

function readLines(player: ChildProcessByStdio<Writable, Readable, null>): AsyncIterator<string> {
  return createInterface({ input: player.stdout })[Symbol.asyncIterator]();
}
