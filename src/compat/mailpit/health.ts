// The paths that test containers wait for. Open to everybody.

import type { CompatApp } from '../dialect.ts';

const text = { 'content-type': 'text/plain; charset=utf-8' };

export function addHealthRoutes(app: CompatApp): void {
  for (const path of ['/', '/livez', '/readyz']) {
    app.add({ method: 'GET', path, serve: () => ({ headers: text, body: 'ok\n' }) });
  }
}
