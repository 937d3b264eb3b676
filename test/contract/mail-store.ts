// The suite every store must pass, in two halves of similar duration for two test files. Independent of how a store
// keeps its data.

import { readdirSync } from 'node:fs';

import { describe } from 'vitest';

import { addressContract } from './addresses.ts';
import { attemptContract } from './attempts.ts';
import { clockContract } from './clock.ts';
import { concurrencyContract } from './concurrency.ts';
import { deliveryContract } from './deliveries.ts';
import { erasingContract } from './erasing.ts';
import { eventContract } from './events.ts';
import { gmailCleanupContract } from './gmail-cleanups.ts';
import { gmailContract } from './gmail.ts';
import { idContract } from './ids.ts';
import { jobsContract } from './jobs.ts';
import { webhookContentsContract } from './webhook-contents.ts';
import { webhookTurnsContract } from './webhook-turns.ts';
import { hostileTextContract } from './hostile-text.ts';
import { largeMessageContract } from './large-messages.ts';
import { messageContract } from './messages.ts';
import { quotaContract } from './quota.ts';
import { renameContract } from './renames.ts';
import { sessionContract } from './sessions.ts';
import type { OpenStore } from './store-fixture.ts';

/** The contracts of small ports, one per file; new files are found automatically. */
const portsFolder = new URL('./ports/', import.meta.url);
const ports = await Promise.all(
  readdirSync(portsFolder).map(async (file) => {
    const { contract } = (await import(new URL(file, portsFolder).href)) as {
      contract: (open: OpenStore) => void;
    };
    return { port: file.replace(/\.ts$/, ''), contract };
  }),
);

/** The half about messages. */
export function messageStoreContract(name: string, open: OpenStore): void {
  describe(`${name}: deliveries`, () => {
    deliveryContract(open);
  });
  describe(`${name}: quota`, () => {
    quotaContract(open);
  });
  describe(`${name}: messages`, () => {
    messageContract(open);
  });
  describe(`${name}: events`, () => {
    eventContract(open);
  });
  describe(`${name}: erasing`, () => {
    erasingContract(open);
  });
  describe(`${name}: hostile text`, () => {
    hostileTextContract(open);
  });
  describe(`${name}: large messages`, () => {
    largeMessageContract(open);
  });
  describe(`${name}: concurrency`, () => {
    concurrencyContract(open);
  });
}

/** The half about sessions, addresses and everything else a store keeps. */
export function sessionStoreContract(name: string, open: OpenStore): void {
  describe(`${name}: sessions`, () => {
    sessionContract(open);
  });
  describe(`${name}: addresses`, () => {
    addressContract(open);
  });
  describe(`${name}: renames`, () => {
    renameContract(open);
  });
  describe(`${name}: attempts`, () => {
    attemptContract(open);
  });
  describe(`${name}: clock`, () => {
    clockContract(open);
  });
  describe(`${name}: ids`, () => {
    idContract(open);
  });
  describe(`${name}: jobs`, () => {
    jobsContract(open);
    webhookTurnsContract(open);
    webhookContentsContract(open);
  });
  describe(`${name}: Gmail`, () => {
    gmailContract(open);
    gmailCleanupContract(open);
  });
  describe.each(ports)(`${name}: $port`, ({ contract }) => {
    contract(open);
  });
}
