// The routes of every dialect, for tests that call all of them.

import type { CompatContext, CompatRoute, Dialect } from '../../src/compat/dialect.ts';
import { createMessageComposer } from '../../src/compat/mailpit/message-composer.ts';
import type { Harness } from './http-harness.ts';

export interface Route extends Pick<CompatRoute, 'method' | 'path' | 'bodyMaxBytes'> {
  readonly dialect: Dialect;
}

/** The functions of Guerrilla Mail's single path. */
const ajaxFunctions = [
  ...['get_email_address', 'set_email_user', 'check_email', 'get_email_list', 'get_older_list'],
  ...['fetch_email', 'del_email', 'forget_me', 'extend', 'nothing'],
];

export function routesOf(dialect: Dialect, context: CompatContext): Route[] {
  const routes: Route[] = [];
  dialect.addRoutes({ add: (route) => routes.push({ ...route, dialect }) }, context);
  return routes;
}

export function contextOf({ services, receiving, ruled, log }: Harness): CompatContext {
  const health = { isReady: () => ({ ready: true }) as const };
  const { access } = ruled;
  const composer = createMessageComposer();
  return {
    services,
    receiving,
    access,
    log,
    health,
    messageMaxBytes: 1024 * 1024,
    composer,
    version: '0.0.0-test',
  };
}

/** `fill` replaces each parameter of the path; the path of functions is repeated for each of them. */
export function targetsOf({ path }: Route, fill: string): string[] {
  const filled = path.replace(/:\w+/g, fill);
  if (path === '/view/:id') return [`${filled}.html`, `${filled}.txt`];
  if (path !== '/ajax.php') return [filled];
  const parameters = `email_id=${fill}&email_ids[]=${fill}&email_user=x${fill}&seq=0&offset=0&limit=5`;
  return ajaxFunctions.map((name) => `${path}?f=${name}&${parameters}`);
}
