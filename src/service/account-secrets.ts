// Seals and opens credentials of mail accounts under the operator's secret key, and changes the key while the service
// runs. Made once by app.ts; nothing below it holds the key.

import {
  type CredentialsPlace,
  type MailCredentials,
  openCredentials,
  sealCredentials,
} from '../secrets/mail-credentials.ts';
import type { GmailAccount, GmailStore } from '../store/gmail-store.ts';
import { OperatorError } from './operator-error.ts';

export interface AccountSecrets {
  /** @throws OperatorError when no key is set */
  seal(place: CredentialsPlace, credentials: MailCredentials): Uint8Array;
  /** @throws Error when no key opens them */
  open(account: GmailAccount): MailCredentials;
  /**
   * Seals every account's credentials under the new key, in one commit; what is sealed later is so too.
   * @throws OperatorError when one of them does not open; nothing is changed then
   */
  rotate(gmail: GmailStore, newKey: Uint8Array): Promise<void>;
}

/** @param secretKey 32 bytes; undefined where the operator has set none */
export function createAccountSecrets(secretKey: Uint8Array | undefined): AccountSecrets {
  let current = secretKey;
  // A poller may still hold what was sealed under an earlier key.
  let keys: readonly Uint8Array[] = secretKey ? [secretKey] : [];

  function open(account: GmailAccount): MailCredentials {
    for (const key of keys) {
      const opened = tryOpen(key, account);
      if (opened) return opened;
    }
    throw new OperatorError(
      `The credentials of Gmail account ${account.id} do not open under the secret key.`,
    );
  }

  return {
    open,
    seal(place, credentials) {
      if (!current) {
        throw new OperatorError(
          'Credentials need a key to be sealed under: set MAYFLY_SECRET_KEY_FILE (or MAYFLY_SECRET_KEY) first, where ' +
            'the service and this command find it.',
        );
      }
      return sealCredentials(current, place, credentials);
    },
    async rotate(gmail, newKey) {
      const before = { current, keys };
      // First, so that whatever is sealed while the commit waits is under the new key too.
      current = newKey;
      keys = [newKey, ...keys];
      try {
        await gmail.resealCredentials((account) => sealCredentials(newKey, account, open(account)));
      } catch (error) {
        ({ current, keys } = before);
        throw error;
      }
    },
  };
}

function tryOpen(key: Uint8Array, account: GmailAccount): MailCredentials | undefined {
  try {
    return openCredentials(key, account, account.sealedCredentials);
  } catch {
    // Sealed under another key, or altered: GCM does not tell which.
    return undefined;
  }
}
