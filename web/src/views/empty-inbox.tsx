// What an empty inbox tells: what is happening, and why mail might not be here, from the delivery log.
import type { VNode } from 'preact';

import { useDeliveries } from '../app/deliveries.ts';
import { Icon } from '../icons/icon.tsx';
import { language, t } from '../i18n/translate.ts';
import { now } from '../state/clock.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { formatAgo, parseTimestamp } from '../state/timestamp.ts';
import { describeRefusal } from './delivery-words.ts';

export function EmptyInbox({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  return (
    <div class="empty">
      <div class="empty-sign" aria-hidden="true">
        <Icon name="mail" />
      </div>
      <h3>{t('empty.title')}</h3>
      <p>{t('empty.text')}</p>
      <Why mailbox={mailbox} />
      <details class="empty-why">
        <summary>{t('empty.problem')}</summary>
        <ul>
          <li>{t('empty.tip.spelling')}</li>
          <li>{t('empty.tip.wait')}</li>
          <li>{t('empty.tip.refuse')}</li>
        </ul>
      </details>
    </div>
  );
}

function Why({ mailbox }: { readonly mailbox: Mailbox }): VNode | null {
  const { list } = useDeliveries(mailbox);
  if (!list) return null;
  const [last] = list;
  if (!last) return <p class="empty-log">{t('empty.none')}</p>;
  const at = parseTimestamp(last.at) - mailbox.skewMs;
  const time = formatAgo(at, now.value, { language: language.value, now: t('time.now') });
  return (
    <p class={`empty-log is-${last.outcome}`}>
      {last.outcome === 'accepted'
        ? t('empty.accepted', { time })
        : t('empty.refused', { time, reason: describeRefusal(last) })}
    </p>
  );
}
