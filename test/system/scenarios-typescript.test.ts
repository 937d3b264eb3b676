// The TypeScript client in the scenarios that every client passes.

import { beforeAll, describe, it } from 'vitest';

import { runScenario } from '../../clients/typescript/test/run-scenario.ts';
import { Outcomes } from '../support/clients/scenario-outcomes.ts';
import { type NamedScenario, needsItsOwn, readScenarios } from '../support/clients/scenarios.ts';
import { startScenarioService, type ScenarioService } from '../support/clients/scenario-service.ts';

const scenarios = readScenarios();
const outcomes = new Outcomes('TypeScript');

async function play(scenario: NamedScenario, service: ScenarioService): Promise<void> {
  outcomes.set(scenario, 'FAILS');
  await runScenario(scenario, service);
  outcomes.set(scenario, 'passes');
}

describe('a shared service', () => {
  let service: ScenarioService;
  beforeAll(async () => {
    service = await startScenarioService();
    return service.close;
  });
  it.concurrent.for(scenarios.filter((scenario) => !needsItsOwn(scenario)))(
    '$file: $name',
    async (scenario) => {
      await play(scenario, service);
    },
  );
});

describe('a service of its own', () => {
  it.concurrent.for(scenarios.filter(needsItsOwn))('$file: $name', { timeout: 300_000 }, async (scenario) => {
    const service = await startScenarioService(scenario);
    try {
      await play(scenario, service);
    } finally {
      await service.close();
    }
  });
});

outcomes.itIsInTheTable();
