// `npm run test:citus -- URL [FILE…]`: the tests of the store on a Citus cluster. The URL is the coordinator's, of the
// database in which the workers were added, for a superuser of every machine; databases are made and dropped there, and
// nothing else is changed but two settings of the log.
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
