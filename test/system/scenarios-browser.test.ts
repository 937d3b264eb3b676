// The TypeScript client in a Chromium page of another origin than the service, in the scenarios that every client
// passes. Captures are made with a key, since pages never count as programs on the machine.

import path from 'node:path';

import { type Browser, chromium, type Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { beforeAll, describe, it } from 'vitest';

import type { Place } from '../../clients/typescript/test/run-scenario.ts';
import { headlessShell } from '../support/page/chromium.ts';
import { needsItsOwn, readScenarios, type Scenario } from '../support/clients/scenarios.ts';
import { startScenarioService, type ScenarioService } from '../support/clients/scenario-service.ts';

declare function play(scenario: Scenario, place: Place): Promise<void>;

const settings = { MAYFLY_HTTP_CORS_ORIGINS: '*' };
/** Without those of `mayfly dev`, which pages of other origins cannot reach. */
const scenarios = readScenarios().filter(({ dev = false }) => !dev);

let browser: Browser;
let player: string;

beforeAll(async () => {
  const bundle = await rolldown({
    input: path.resolve('test/fixtures/page-player.mjs'),
    platform: 'browser',
    resolve: { alias: { vitest: path.resolve('test/fixtures/page-expect.mjs') } },
  });
  const { output } = await bundle.generate({ format: 'iife' });
  await bundle.close();
  player = output[0].code;
  browser = await chromium.launch({ executablePath: headlessShell });
  return () => browser.close();
});

/** Opens a page of the origin that sends mail, with the player in it. */
async function openPage({ control }: ScenarioService): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(control);
  await page.evaluate(player);
  return page;
}

async function playInPage(page: Page, scenario: Scenario, place: Place): Promise<void> {
  await page.evaluate(([given, at]) => play(given, at), [scenario, place] as const);
}

async function openPlace({ url, control, addCaptureKey }: ScenarioService): Promise<Place> {
  return { url, control, captureKey: await addCaptureKey() };
}

describe('a shared service', () => {
  let place: Place;
  let page: Page;
  beforeAll(async () => {
    const service = await startScenarioService({ settings });
    place = await openPlace(service);
    page = await openPage(service);
    return service.close;
  });
  it.concurrent.for(scenarios.filter((scenario) => !needsItsOwn(scenario)))(
    '$file: $name',
    async (scenario) => {
      await playInPage(page, scenario, place);
    },
  );
});

describe('a service of its own', () => {
  it.concurrent.for(scenarios.filter(needsItsOwn))('$file: $name', { timeout: 300_000 }, async (scenario) => {
    const service = await startScenarioService({
      ...scenario,
      settings: { ...settings, ...scenario.settings },
    });
    const page = await openPage(service);
    await playInPage(page, scenario, await openPlace(service)).finally(service.close);
    await page.close();
  });
});
