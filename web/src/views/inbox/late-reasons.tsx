// Why no mail may have come, from the delivery log, and what to try. Loaded after a minute without any.
import type { VNode } from 'preact';

import { useDeliveries } from '../../app/deliveries.ts';
import { locale, t } from '../../i18n/translate.ts';
import { now } from '../../state/clock.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { formatAgo, parseTimestamp } from '../../state/timestamp.ts';
import { describeRefusal } from '../parts/delivery-words.ts';

export function LateReasons({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  return (
    <>
      <Why mailbox={mailbox} />
      {mailbox.smtp === undefined && <Tips />}
    </>
  );
}

function Why({ mailbox }: { readonly mailbox: Mailbox }): VNode | null {
  const { list } = useDeliveries(mailbox);
  if (!list) return null;
  const [last] = list;
  if (!last && mailbox.smtp !== undefined) return null;
  if (!last) return <p class="empty-log">{t('empty.none')}</p>;
  const at = parseTimestamp(last.at) - mailbox.skewMs;
  const time = formatAgo(at, now.value, { language: locale.value, now: t('time.now') });
  return (
    <p class={`empty-log is-${last.outcome}`}>
      {last.outcome === 'accepted'
        ? t('empty.accepted', { time })
        : t('empty.refused', { time, reason: describeRefusal(last) })}
    </p>
  );
}

function Tips(): VNode {
  return (
    <details class="empty-why">
      <summary>{t('empty.problem')}</summary>
      <ul>
        <li>{t('empty.tip.spelling')}</li>
        <li>{t('empty.tip.wait')}</li>
        <li>{t('empty.tip.refuse')}</li>
      </ul>
    </details>
  );
}
