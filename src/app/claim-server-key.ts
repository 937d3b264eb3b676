// Loads the service's own key, and refuses one with which the store is not used: passwords, links and webhooks of one
// node would not open on another. Part of the composition root.

import type { Syncing } from '../store/sqlite/open-sqlite-store.ts';
import type { Config } from '#config/settings';
import { fingerprintOf, findServerKey, loadServerKey, toServerKeyFile } from '#sealing/server-key';
import type { Stores } from '../store/stores.ts';
import { StartError } from './start-error.ts';

const remedy =
  'Copy the file from another node or from a backup; if the right one is lost, see `mayfly server-key forget`.';

/** Makes the key for a store that none has been used with. @throws StartError; Error when the file is not a key */
export async function claimServerKey(
  { serverKeys }: Pick<Stores, 'serverKeys'>,
  { general: { dataDir } }: Pick<Config, 'general'>,
  syncing: Syncing = 'commits',
): Promise<Uint8Array> {
  const file = toServerKeyFile(dataDir);
  const wanted = await serverKeys.readFingerprint();
  const key = wanted ? findServerKey(dataDir) : loadServerKey(dataDir, syncing === 'commits');
  if (!key) throw refusal(`${file}, with which the store is used, is missing`);
  const own = fingerprintOf(key);
  const kept = wanted ?? (await serverKeys.claim(own));
  if (own.equals(kept)) return key;
  throw refusal(`${file} is not the one with which the store is used`);
}

function refusal(fault: string): StartError {
  return new StartError(fault, { isLasting: true, remedy });
}
