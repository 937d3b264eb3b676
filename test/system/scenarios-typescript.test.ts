// The TypeScript client, by the scenarios that every client passes.

import { beforeAll, describe, it } from 'vitest';

import { runScenario } from '../../clients/typescript/test/run-scenario.ts';
import { needsItsOwn, readScenarios } from '../support/scenarios.ts';
import { startScenarioService, type ScenarioService } from '../support/scenario-service.ts';

const scenarios = readScenarios();

describe('a shared service', () => {
  let service: ScenarioService;
  beforeAll(async () => {
    service = await startScenarioService();
    return service.close;
  });
  it.concurrent.for(scenarios.filter((scenario) => !needsItsOwn(scenario)))(
    '$file: $name',
    async (scenario) => {
      await runScenario(scenario, service);
    },
  );
});

describe('a service of its own', () => {
  it.concurrent.for(scenarios.filter(needsItsOwn))('$file: $name', { timeout: 120_000 }, async (scenario) => {
    const service = await startScenarioService(scenario.settings);
    try {
      await runScenario(scenario, service);
    } finally {
      await service.close();
    }
  });
});
