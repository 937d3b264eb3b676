// The whole page: the sign-in, or the list of sections and the current one.
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { NoticesView, Spoken } from '../../src/views/notices-view.tsx';
import { isSignedIn } from '../state/signed-in.ts';
import { type Place, place } from '../state/route.ts';
import { text } from '../texts/text.ts';
import { AuditView } from './audit-view.tsx';
import { BlocksView } from './blocks-view.tsx';
import { ConsoleRail } from './console-rail.tsx';
import { DeliveriesView } from './deliveries-view.tsx';
import { DomainsView } from './domains-view.tsx';
import { GmailView } from './gmail-view.tsx';
import { KeysView } from './keys-view.tsx';
import { LogView } from './log-view.tsx';
import { OverviewView } from './overview-view.tsx';
import { PasskeysView } from './passkeys-view.tsx';
import { RefusalsView } from './refusals-view.tsx';
import { SessionsView } from './sessions-view.tsx';
import { SettingsView } from './settings-view.tsx';
import { SignIn } from './sign-in.tsx';
import { StatisticsView } from './statistics-view.tsx';
import { WebhooksView } from './webhooks-view.tsx';

const views: Readonly<Record<Place, () => VNode>> = {
  overview: OverviewView,
  domains: DomainsView,
  sessions: SessionsView,
  deliveries: DeliveriesView,
  refusals: RefusalsView,
  statistics: StatisticsView,
  keys: KeysView,
  passkeys: PasskeysView,
  blocks: BlocksView,
  gmail: GmailView,
  webhooks: WebhooksView,
  settings: SettingsView,
  audit: AuditView,
  log: LogView,
};

export function AdminApp(): VNode {
  return (
    <>
      {isSignedIn() ? <Console /> : <SignIn />}
      <NoticesView />
      <Spoken />
    </>
  );
}

function Console(): VNode {
  const View = views[place.value];
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = text('app.title', { place: text(`place.${place.value}`) });
    // People who use the keyboard or a screen reader continue from its heading.
    if (!isFirst.current) document.getElementById('place-title')?.focus();
    isFirst.current = false;
    scrollTo({ top: 0 });
  }, [place.value]);
  return (
    <div class="console">
      <a
        class="skip-link"
        href="#place-title"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('place-title')?.focus();
        }}
      >
        {text('app.skip')}
      </a>
      <ConsoleRail />
      <main class="console-main">
        <View key={place.value} />
      </main>
    </div>
  );
}
