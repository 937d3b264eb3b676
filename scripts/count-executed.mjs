// Loaded before an unbundled service by scripts/executed-files.mjs: SIGUSR2 writes the functions that the main thread
// has executed since the last one, as lines "path offset", to the file that EXECUTED_FILE names.
import { Session } from 'node:inspector';
import { renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env['EXECUTED_FILE'];

if (isMainThread && file !== undefined) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  process.on('SIGUSR2', () => {
    session.post('Profiler.takePreciseCoverage', (error, coverage) => {
      if (error) throw error;
      const lines = coverage.result
        .filter(({ url }) => url.startsWith('file:'))
        .flatMap(({ url, functions }) =>
          functions
            .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
            .map(({ ranges }) => `${new URL(url).pathname} ${ranges[0]?.startOffset}`),
        );
      // Renamed into place, so that the reader sees it whole.
      writeFileSync(`${file}.new`, lines.join('\n'));
      renameSync(`${file}.new`, file);
    });
  });
}
