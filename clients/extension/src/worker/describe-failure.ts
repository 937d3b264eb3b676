// Failures in words for the person. Never with what was sent.
import { MayflyError, MayflyUnreachable } from 'mayfly-client';

import { readSettings } from '../shared/settings.ts';
import { text } from '../shared/texts.ts';

const known: Readonly<Record<string, () => string>> = {
  invalid_api_key: () => text('errorKey'),
  rate_limited: () => text('errorRate'),
  too_many_sessions: () => text('errorRate'),
  challenge_required: () => text('errorKey'),
};

export interface Failed {
  readonly text: string;
  /** Whether a service has been named. */
  readonly isSetUp: boolean;
}

export async function describeFailure(error: unknown): Promise<Failed> {
  try {
    const { service } = await readSettings();
    if (service === '') return { text: text('errorSetUp'), isSetUp: false };
    if (error instanceof MayflyUnreachable) {
      return { text: text('errorNetwork', new URL(service).host), isSetUp: true };
    }
  } catch (unreadable) {
    error = unreadable;
  }
  const describe = error instanceof MayflyError ? known[error.code] : undefined;
  const words = error instanceof Error ? error.message : String(error);
  return { text: describe?.() ?? text('errorOther', words), isSetUp: true };
}
