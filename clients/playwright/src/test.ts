import {
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  test as base,
  type TestType,
} from '@playwright/test';

import {
  type MayflyFixtures,
  mayflyFixtures,
  type MayflyOptions,
  type MayflyWorkerFixtures,
  type MayflyWorkerOptions,
} from './fixtures.ts';

/** Playwright's `test`, with an inbox for each test. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & MayflyFixtures & MayflyOptions,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & MayflyWorkerFixtures & MayflyWorkerOptions
> = base.extend(mayflyFixtures);
