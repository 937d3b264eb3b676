// One call of /ajax.php, as its functions are given it.

import type { CompatContext } from '../dialect.ts';
import type { AjaxParameters } from './ajax-parameters.ts';
import type { GuerrillaSession } from './guerrilla-session.ts';

export interface AjaxCall extends Pick<CompatContext, 'services' | 'access'> {
  readonly session: GuerrillaSession;
  readonly parameters: AjaxParameters;
  /** Nothing is to be changed. */
  readonly isHead: boolean;
}

export type AjaxFunction = (call: AjaxCall) => Promise<object | boolean>;
