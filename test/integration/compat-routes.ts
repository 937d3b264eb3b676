// The routes of every dialect, for tests that call all of them.

import type { Dialect, SessionRoute } from '../../src/compat/dialect.ts';
import { ajaxFunctions } from '../../src/compat/guerrilla/guerrilla.ts';

export interface Route extends Pick<SessionRoute, 'method' | 'path' | 'bodyMaxBytes'> {
  readonly access: 'public' | 'session';
  readonly dialect: Dialect;
}

export function routesOf(dialect: Dialect): Route[] {
  return dialect.routes.map((route) => ({ ...route, dialect }));
}

/** The functions of Guerrilla Mail's single path, and an unknown one. */
const functionNames = [...Object.keys(ajaxFunctions), 'nothing'];

/** `fill` replaces each parameter of the path; the path of functions is repeated for each of them. */
export function targetsOf({ path }: Route, fill: string): string[] {
  const filled = path.replace(/:\w+/g, fill);
  if (path === '/view/:id') return [`${filled}.html`, `${filled}.txt`];
  if (path !== '/ajax.php') return [filled];
  const parameters = `email_id=${fill}&email_ids[]=${fill}&email_user=x${fill}&seq=0&offset=0&limit=5`;
  return functionNames.map((name) => `${path}?f=${name}&${parameters}`);
}
