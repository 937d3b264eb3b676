// Seals and opens the credentials of mail accounts with the operator's secret key, and replaces the key while the
// service runs.

import type { MailCredentials } from '#imap-reader/credentials';
import { type CredentialsPlace, openCredentials, sealCredentials } from '../../secrets/mail-credentials.ts';
import type { GmailAccount, GmailStore } from '../../store/gmail-store.ts';
import { OperatorError } from './operator-error.ts';

export interface AccountSecrets {
  /** @throws OperatorError when no key is set */
  seal(place: CredentialsPlace, credentials: MailCredentials): Uint8Array;
  /** @throws Error when no key opens them */
  open(account: GmailAccount): MailCredentials;
  /**
   * Seals all accounts' credentials with the new key, in one commit, and uses it from then on.
   * @throws OperatorError when some cannot be opened, in which case nothing is changed
   */
  rotate(gmail: GmailStore, newKey: Uint8Array): Promise<void>;
}

/** @param secretKey 32 bytes; undefined when the operator has set none */
export function createAccountSecrets(secretKey: Uint8Array | undefined): AccountSecrets {
  let current = secretKey;
  // A poller may still hold credentials sealed with an earlier key.
  let keys: readonly Uint8Array[] = secretKey ? [secretKey] : [];

  function open(account: GmailAccount): MailCredentials {
    for (const key of keys) {
      const opened = tryOpen(key, account);
      if (opened) return opened;
    }
    throw new OperatorError(
      `The credentials of Gmail account ${account.id} cannot be opened with the secret key.`,
    );
  }

  return {
    open,
    seal(place, credentials) {
      if (!current) {
        throw new OperatorError(
          'Credentials need a key to be sealed with: set MAYFLY_SECRET_KEY_FILE (or MAYFLY_SECRET_KEY) first, where ' +
            'the service and this command find it.',
        );
      }
      return sealCredentials(current, place, credentials);
    },
    async rotate(gmail, newKey) {
      const before = { current, keys };
      // Set first, so that credentials sealed while the commit is pending use the new key too.
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
    // Sealed with another key, or altered: GCM does not distinguish them.
    return undefined;
  }
}
