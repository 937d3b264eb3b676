// The fixtures. An inbox is created when a test first uses it, and ended with the test.

import type {
  Fixtures,
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
} from '@playwright/test';
import { type Capture, type CreateInboxOptions, type Inbox, Mayfly } from 'mayfly-client';

import { Camera } from './camera.ts';
import { createScreenshotMail, type ScreenshotMail } from './screenshots.ts';
import { makePrefix } from './make-prefix.ts';
import { patience, TestClient } from './test-client.ts';

export interface MayflyFixtures {
  /** An address for this test. */
  readonly inbox: Inbox;
  /** An inbox for any recipient: all addresses of a domain, and all mail sent with its SMTP login. */
  readonly mailbox: Capture;
  /** Takes pictures of a message at several widths, light and dark. */
  readonly screenshotMail: ScreenshotMail;
}

export interface MayflyOptions {
  /** How inboxes are created. `prefix` replaces the test's title. */
  readonly mayflyInbox: CreateInboxOptions;
}

export interface MayflyWorkerFixtures {
  /** The service, for creating further inboxes, which the test ends itself. */
  readonly mayfly: Mayfly;
  /** Takes pictures of messages. */
  readonly mayflyCamera: Camera;
}

export interface MayflyWorkerOptions {
  /** URL of the service; by default MAYFLY_URL, else http://127.0.0.1:8080. */
  readonly mayflyUrl: string | undefined;
  /** MAYFLY_API_KEY by default. */
  readonly mayflyApiKey: string | undefined;
}

/** Milliseconds for creating and ending an inbox, apart from the test's own time-out. */
const fixtureTimeout = 60_000;

/** Fixtures for `extend` of another `test`. */
export const mayflyFixtures: Fixtures<
  MayflyFixtures & MayflyOptions,
  MayflyWorkerFixtures & MayflyWorkerOptions,
  PlaywrightTestArgs & PlaywrightTestOptions,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = {
  mayflyUrl: [undefined, { option: true, scope: 'worker' }],
  mayflyApiKey: [undefined, { option: true, scope: 'worker' }],
  mayflyInbox: [{}, { option: true }],

  mayfly: [
    async ({ mayflyUrl, mayflyApiKey }, use) => {
      await use(
        new Mayfly({
          patience,
          ...(mayflyUrl === undefined ? {} : { url: mayflyUrl }),
          ...(mayflyApiKey === undefined ? {} : { apiKey: mayflyApiKey }),
        }),
      );
    },
    { scope: 'worker' },
  ],

  mayflyCamera: [
    async ({ playwright, browserName, channel, launchOptions, connectOptions }, use) => {
      const camera = new Camera(playwright[browserName], { channel, launchOptions, connectOptions });
      await use(camera);
      await camera.close();
    },
    { scope: 'worker' },
  ],

  screenshotMail: async ({ mayflyCamera }, use, testInfo) => {
    await use(createScreenshotMail(mayflyCamera, testInfo));
  },

  inbox: [
    async ({ mayfly, mayflyApiKey, mayflyCamera, mayflyInbox }, use, testInfo) => {
      const { prefix, ...options } = mayflyInbox;
      const { title, workerIndex, retry } = testInfo;
      const named = { title: prefix ?? title, workerIndex, retry };
      // For Gmail accounts the service creates aliases itself.
      const isAlias = options.gmail !== undefined && options.gmail !== false;
      const given = isAlias ? options : { ...options, prefix: makePrefix(named) };
      const client = new TestClient(testInfo, mayfly.url, mayflyApiKey);
      const inbox = await client.create((service) => service.createInbox(given));
      await use(inbox);
      await client.finish(inbox, { name: 'inbox', camera: mayflyCamera });
    },
    { timeout: fixtureTimeout },
  ],

  mailbox: [
    async ({ mayfly, mayflyApiKey, mayflyCamera, mayflyInbox: { domain, lifetime } }, use, testInfo) => {
      const given = {
        ...(domain === undefined ? {} : { domain }),
        ...(lifetime === undefined ? {} : { lifetime }),
      };
      const client = new TestClient(testInfo, mayfly.url, mayflyApiKey);
      const mailbox = await client.create((service) => service.createCapture(given));
      await use(mailbox);
      await client.finish(mailbox, { name: 'mailbox', camera: mayflyCamera });
    },
    { timeout: fixtureTimeout },
  ],
};
