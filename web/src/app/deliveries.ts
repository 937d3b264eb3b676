// The delivery log of the current address, loaded and refreshed while a view shows it.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { Delivery } from '../api/answers.ts';
import { type ApiError, requireApiError } from '../api/api-error.ts';
import { showSession } from '../api/operations.ts';
import type { Mailbox } from '../state/mailbox.ts';

export interface Deliveries {
  readonly token: string;
  /** Newest first; null until loaded. */
  readonly list: readonly Delivery[] | null;
  readonly error: ApiError | null;
}

const known = signal<Deliveries | null>(null);
const everyMs = 10_000;

/** Loads at once, then every ten seconds while the view is shown and the page visible. */
export function useDeliveries(mailbox: Mailbox): Deliveries {
  const { token } = mailbox;
  useEffect(() => {
    let isLeft = false;
    const look = async (): Promise<void> => {
      if (document.hidden || mailbox.isOver.value) return;
      const found = await ask(token);
      if (!isLeft) known.value = found;
    };
    void look();
    const timer = setInterval(() => void look(), everyMs);
    return () => {
      isLeft = true;
      clearInterval(timer);
    };
  }, [token, mailbox]);
  const { value } = known;
  return value?.token === token ? value : { token, list: null, error: null };
}

async function ask(token: string): Promise<Deliveries> {
  try {
    return { token, list: (await showSession(token)).deliveries, error: null };
  } catch (error) {
    return { token, list: null, error: requireApiError(error) };
  }
}
