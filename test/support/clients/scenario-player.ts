// A client in another language: its player reads scenarios and writes their outcomes, one line of JSON each.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import { describe, expect, it } from 'vitest';

import type { Client } from '../../../scripts/scenario-page.mjs';
import { Outcomes } from './scenario-outcomes.ts';
import { needsItsOwn, type NamedScenario, readScenarios } from './scenarios.ts';
import { type ScenarioService, startScenarioService } from './scenario-service.ts';

export interface PlayerCommand {
  readonly program: string;
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Played {
  readonly ok: boolean;
  readonly error?: string;
}

/** Lets the player play all scenarios; those that share a service run in turn, beside three more such players. */
export function describeClient(client: Client, command: PlayerCommand): void {
  const scenarios = readScenarios();
  const outcomes = new Outcomes(client);
  const playAll = async (waiting: NamedScenario[], service: ScenarioService): Promise<void> => {
    const errors: string[] = [];
    for await (const { scenario, error } of play(command, service, waiting)) {
      outcomes.set(scenario, error === undefined ? 'passes' : 'FAILS');
      if (error !== undefined) errors.push(`${scenario.name}: ${error}`);
    }
    expect(errors).toEqual([]);
  };
  it('plays the scenarios that share a service', { timeout: 240_000 }, async () => {
    const service = await startScenarioService();
    const waiting = scenarios.filter((scenario) => !needsItsOwn(scenario));
    // They spend most of their time waiting.
    const players = Array.from({ length: 4 }, () => playAll(waiting, service));
    await Promise.all(players).finally(service.close);
  });
  describe('a service of its own', () => {
    it.concurrent.for(scenarios.filter(needsItsOwn))(
      '$file: $name',
      { timeout: 120_000 },
      async (scenario) => {
        const service = await startScenarioService(scenario);
        await playAll([scenario], service).finally(service.close);
      },
    );
  });
  outcomes.itIsInTheTable();
}

/** Plays the remaining scenarios, and takes them off the list. */
async function* play(
  { program, words, env = {} }: PlayerCommand,
  { url, control }: ScenarioService,
  waiting: NamedScenario[],
): AsyncGenerator<{ readonly scenario: NamedScenario; readonly error: string | undefined }> {
  const player = spawn(program, words, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const answers = readLines(player);
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
      player.stdin.write(`${JSON.stringify({ scenario, url, control })}\n`);
      const { value } = (await answers.next()) as { value: string | undefined };
      if (value === undefined) throw new Error(`The player ended at ${scenario.name}`);
      const { ok, error = '' } = JSON.parse(value) as Played;
      yield { scenario, error: ok ? undefined : error };
    }
  } finally {
    player.kill('SIGKILL');
  }
}

function readLines(player: ChildProcessByStdio<Writable, Readable, null>): AsyncIterator<string> {
  return createInterface({ input: player.stdout })[Symbol.asyncIterator]();
}
