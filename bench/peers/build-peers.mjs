// Builds the other catchers of mail for `npm run bench -- --peers`, from the Go module proxy, which checks them against
// its public log of hashes. Needs Go. Their web pages are not built: only their SMTP is measured.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** Program → its package and version. */
export const programs = {
  inbucket: 'github.com/inbucket/inbucket/v3/cmd/inbucket@v3.2.0',
  mailpit: 'github.com/axllent/mailpit@v1.33.1',
};

/**
 * @param {string} folder
 * @returns {Promise<string>} the folder of this set of versions, with each program in it
 */
export async function ensurePeers(folder) {
  const versions = Object.values(programs).map((text) => text.replace(/.*@v/, ''));
  const built = path.join(folder, `peers-${versions.join('-')}`);
  await mkdir(built, { recursive: true });
  for (const [name, source] of Object.entries(programs)) {
    if (existsSync(path.join(built, name))) continue;
    console.error(`bench: building ${source}`);
    await promisify(execFile)('go', ['install', source], { env: { ...process.env, GOBIN: built } });
  }
  return built;
}
