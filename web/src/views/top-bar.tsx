// The bar at the head of the page: whose page it is, whether it is connected, settings and shortcuts.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import { openDialog } from '../app/navigation.ts';
import { Icon } from '../icons/icon.tsx';
import { t } from '../i18n/translate.ts';
import type { ConnectionState } from '../live/follow-session.ts';
import { current } from '../state/mailboxes.ts';

export function TopBar(): VNode {
  return (
    <header class="top-bar">
      <SkipLink />
      <h1 class="brand">
        <Icon name="mayfly" />
        <span>{t('app.name')}</span>
      </h1>
      <Connection />
      <a class="icon-button text-link only-wide" href="./docs">
        {t('app.docs')}
      </a>
      <button
        type="button"
        class="icon-button only-wide"
        aria-label={t('app.shortcuts')}
        title={t('app.shortcuts')}
        onClick={() => {
          openDialog('keys');
        }}
      >
        <Icon name="keyboard" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={t('app.settings')}
        title={t('app.settings')}
        onClick={() => {
          openDialog('settings');
        }}
      >
        <Icon name="settings" />
      </button>
    </header>
  );
}

function SkipLink(): VNode | null {
  const mailbox = current.value;
  if (!mailbox || mailbox.isOver.value) return null;
  return (
    <a
      class="skip-link"
      href="#messages"
      onClick={(event) => {
        // What stands in the address bar is which message is open.
        event.preventDefault();
        document.querySelector<HTMLElement>('#messages')?.focus();
      }}
    >
      {t('app.skip')}
    </a>
  );
}

type Shown = ConnectionState | 'offline';

function Connection(): VNode | null {
  const isOnline = useOnline();
  const mailbox = current.value;
  if (!mailbox) return null;
  const { value: state } = mailbox.connection;
  const shown: Shown = state === 'waiting' && !isOnline ? 'offline' : state;
  return (
    <div class={`connection is-${shown}`} role="status" title={hintOf(shown)}>
      <span class="connection-dot" aria-hidden="true" />
      <span>{wordsOf(shown)}</span>
    </div>
  );
}

function wordsOf(state: Shown): string {
  const keys = {
    connecting: 'connection.connecting',
    live: 'connection.live',
    polling: 'connection.polling',
    waiting: 'connection.waiting',
    offline: 'connection.offline',
    over: 'connection.over',
  } as const;
  return t(keys[state]);
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
