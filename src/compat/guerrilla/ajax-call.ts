// One call of /ajax.php, as passed to its functions.

import type { CompatCall, CompatContext } from '../dialect.ts';
import type { AjaxParameters } from './ajax-parameters.ts';
import type { GuerrillaSession } from './guerrilla-session.ts';

export interface AjaxCall extends Pick<CompatContext, 'services' | 'access'> {
  readonly session: GuerrillaSession;
  readonly parameters: AjaxParameters;
  readonly call: Pick<CompatCall, 'isHead' | 'marksRead'>;
}

export type AjaxFunction = (call: AjaxCall) => Promise<object | boolean>;
