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
  const { service } = await readSettings();
  if (service === '') return { text: text('errorSetUp'), isSetUp: false };
  const host = new URL(service).host;
  if (error instanceof MayflyUnreachable) return { text: text('errorNetwork', host), isSetUp: true };
  if (error instanceof MayflyError) {
    const describe = known[error.code] ?? (() => text('errorOther', error.message));
    return { text: describe(), isSetUp: true };
  }
  return { text: text('errorOther', String(error)), isSetUp: true };
}
