export { expect } from './expect.ts';
export {
  type MayflyFixtures,
  mayflyFixtures,
  type MayflyOptions,
  type MayflyWorkerFixtures,
  type MayflyWorkerOptions,
} from './fixtures.ts';
export type { MailScreenshot, ScreenshotMail, ScreenshotOptions } from './screenshots.ts';
export { test } from './test.ts';
