// Builds the parts for Gmail accounts: the key of their credentials, the pollers, and what operator commands need. Part
// of the composition root.

import { createHmac, randomUUID } from 'node:crypto';

import { createSafeFetch } from '#networks/safe-fetch';
import type { Logger } from '#telemetry/logger';
import type { Traces } from '#telemetry/traces';
import { ConfigError } from '#config/load-config';
import type { Config } from '#config/settings';
import { parseSecretKey, secretKeyForm } from '#values/secret-key';
import { createGmailPollers, type GmailPollers } from '../gmail/create-gmail-pollers.ts';
import type { GmailReceiver } from '../gmail/gmail-pollers-options.ts';
import { testAccount } from '../gmail/test-account.ts';
import { type AccountSecrets, createAccountSecrets } from '../service/operating/account-secrets.ts';
import type { GmailControl } from '../service/operating/gmail-control.ts';
import type { GmailStore } from '../store/gmail-store.ts';
import { ownLeases } from '../store/lease-store.ts';
import type { Stores } from '../store/stores.ts';
import { readAuthorities, readSettingFile } from './setting-file.ts';

export interface Gmail {
  /** For operator commands, whether or not the pollers run. */
  readonly control: GmailControl;
  /** Returns an account's secret, which orders its dot variants. */
  readonly dotVariantKey: (serverKey: Uint8Array, email: string) => Uint8Array;
  /** @throws ConfigError when the secret key cannot open the credentials of an account */
  checkSecrets(): Promise<void>;
  startPollers(parts: PollerParts): void;
  /** Ends the pollers; resolves when they have stopped. */
  close(): Promise<void>;
}

export interface PollerParts {
  readonly receiver: GmailReceiver;
  readonly traces: Traces | undefined;
  readonly log: Logger;
}

/** @throws ConfigError when the secret key or the authorities cannot be read */
export function createGmail(
  config: Config,
  { gmail, shared, now }: Pick<Stores, 'gmail' | 'shared' | 'now'>,
): Gmail {
  const secrets = createAccountSecrets(loadSecretKey(config));
  const certificateAuthorities = readAuthorities('MAYFLY_GMAIL_TLS_CA_FILE', config.gmail.tlsCaFile);
  // Token URLs come from the operator's own files, but need only https on the Internet.
  const fetch = createSafeFetch({ schemes: ['https'], ports: [443], allow: [] });
  let pollers: GmailPollers | undefined;
  return {
    control: {
      gmail,
      now,
      secrets,
      testAccount: (account) =>
        testAccount({ account, credentials: secrets.open(account), fetch, certificateAuthorities }),
      onAccountsChanged: () => pollers?.wake(),
    },
    dotVariantKey: (serverKey, email) =>
      createHmac('sha256', serverKey).update(`mayfly dot variants ${email}`).digest(),
    checkSecrets: () => checkSecrets(gmail, secrets, config),
    startPollers: ({ receiver, traces, log }) => {
      pollers = createGmailPollers({
        store: gmail,
        leases: shared?.leases ?? ownLeases,
        holder: randomUUID(),
        openCredentials: (account) => secrets.open(account),
        now,
        receiver,
        traces,
        fetch,
        log,
        settings: toPollerSettings(config),
        certificateAuthorities,
      });
    },
    close: async () => pollers?.close(),
  };
}

function toPollerSettings({ gmail, smtp }: Config) {
  return {
    spamCheckMs: gmail.spamPollSeconds * 1000,
    messageMaxBytes: smtp.messageMaxBytes,
    dayMaxBytes: gmail.bytesPerDayMax,
    afterDelivery: gmail.afterDelivery,
  };
}

function loadSecretKey({ secret }: Config): Uint8Array | undefined {
  if (secret.keyFile === '') return parseSecretKey(secret.key);
  const key = parseSecretKey(readSettingFile('MAYFLY_SECRET_KEY_FILE', secret.keyFile));
  if (key) return key;
  throw new ConfigError(
    `MAYFLY_SECRET_KEY_FILE must name a file with ${secretKeyForm}, but ${secret.keyFile} has none.`,
  );
}

async function checkSecrets(gmail: GmailStore, secrets: AccountSecrets, { secret }: Config): Promise<void> {
  for (const account of await gmail.listAccounts()) {
    try {
      secrets.open(account);
    } catch (error) {
      const variable = secret.keyFile === '' ? 'MAYFLY_SECRET_KEY' : 'MAYFLY_SECRET_KEY_FILE';
      const isMissing = secret.key === '' && secret.keyFile === '';
      throw new ConfigError(
        isMissing
          ? 'MAYFLY_SECRET_KEY_FILE or MAYFLY_SECRET_KEY must be set: there are Gmail accounts, whose credentials it opens.'
          : `${variable} is not the key under which the credentials of ${account.email} are sealed.`,
        { cause: error },
      );
    }
  }
}
