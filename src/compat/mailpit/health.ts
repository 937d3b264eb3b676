// The paths that test containers wait for. Need no credentials.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { CompatApp, CompatContext } from '../dialect.ts';
import { textHeaders } from './answers.ts';

const up = { headers: textHeaders, body: 'ok\n' };

export function addHealthRoutes(app: CompatApp, { health }: Pick<CompatContext, 'health'>): void {
  for (const path of ['/', '/livez']) app.add({ method: 'GET', path, serve: () => up });
  app.add({
    method: 'GET',
    path: '/readyz',
    serve: () => {
      if (health.isReady().ready) return up;
      throw new MayflyError('unavailable', 'The service cannot do its work just now.');
    },
  });
}
