// One call of /ajax.php, and the functions that it may name, as they are declared.

import type { LiveSession } from '../../service/session/session-access.ts';
import type { CompatCall, CompatContext } from '../dialect.ts';
import type { AjaxParameters } from './ajax-parameters.ts';
import type { GuerrillaSession } from './guerrilla-session.ts';

export interface AjaxCall extends Pick<CompatContext, 'services' | 'access'> {
  readonly session: GuerrillaSession;
  readonly parameters: AjaxParameters;
  readonly call: Pick<CompatCall, 'isHead' | 'marksRead'>;
}

export interface LiveAjaxCall extends AjaxCall {
  readonly live: LiveSession;
}

interface Declared {
  readonly summary: string;
  /** Those that it reads. */
  readonly parameters: readonly string[];
  /** Whether it changes a session, besides read marks. */
  readonly changes?: true;
}

export type AjaxFunction = Declared &
  (
    | {
        /** `own`: not for the listener's default session. */
        readonly access: 'session' | 'own';
        run(call: LiveAjaxCall): Promise<object | boolean>;
      }
    | {
        /** Takes a session if there is one. */
        readonly access: 'public';
        run(call: AjaxCall): Promise<object | boolean>;
      }
  );

export type AjaxFunctions = Readonly<Record<string, AjaxFunction>>;
