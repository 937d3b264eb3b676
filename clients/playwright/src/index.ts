export { expect } from '@playwright/test';
export {
  type MayflyFixtures,
  mayflyFixtures,
  type MayflyOptions,
  type MayflyWorkerFixtures,
  type MayflyWorkerOptions,
} from './fixtures.ts';
export { test } from './test.ts';
