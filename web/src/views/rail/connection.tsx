// Shows in a word whether mail appears as it arrives.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import { t } from '../../i18n/translate.ts';
import type { ConnectionState } from '../../live/follow-session.ts';
import { current } from '../../state/mailboxes.ts';

type Shown = ConnectionState | 'offline';

const words = {
  connecting: 'connection.connecting',
  live: 'connection.live',
  polling: 'connection.polling',
  waiting: 'connection.waiting',
  offline: 'connection.offline',
  over: 'connection.over',
} as const;

export function Connection(): VNode | null {
  const isOnline = useOnline();
  const mailbox = current.value;
  if (!mailbox) return null;
  const { value: state } = mailbox.connection;
  return <ConnectionSign state={!isOnline && state !== 'over' ? 'offline' : state} />;
}

export function ConnectionSign({ state }: { readonly state: Shown }): VNode {
  return (
    <div class={`connection is-${state}`} role="status" title={hintOf(state)}>
      <span class="connection-dot" aria-hidden="true" />
      <span>{t(words[state])}</span>
    </div>
  );
}

function hintOf(state: Shown): string | undefined {
  if (state === 'connecting' || state === 'over') return undefined;
  return t(`connection.hint.${state}` as const);
}

function useOnline(): boolean {
  const isOnline = useSignal(navigator.onLine);
  useEffect(() => {
    const look = (): void => {
      isOnline.value = navigator.onLine;
    };
    window.addEventListener('online', look);
    window.addEventListener('offline', look);
    return () => {
      window.removeEventListener('online', look);
      window.removeEventListener('offline', look);
    };
  }, [isOnline]);
  return isOnline.value;
}
