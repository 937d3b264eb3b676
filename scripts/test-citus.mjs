// `npm run test:citus -- URL [FILE…]`: runs the store's tests on a Citus cluster. The URL is the coordinator's, of the
// database with the workers, for a superuser of every machine. Databases are created and dropped there, and two settings
// of the log changed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [url, ...files] = process.argv.slice(2);
if (url === undefined || !/^postgres(?:ql)?:\/\//.test(url)) {
  process.stderr.write('npm run test:citus -- postgres://USER@COORDINATOR/DATABASE [FILE…]\n');
  process.exit(64);
}
const root = fileURLToPath(new URL('..', import.meta.url));
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--config', 'vitest.citus.config.ts', '--reporter', 'verbose', ...files],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, MAYFLY_TEST_CITUS_URL: url },
  },
);
process.exit(status ?? 1);
