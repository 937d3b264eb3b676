// An empty inbox: how to use it, its state, and from the delivery log why mail might be missing.
import type { VNode } from 'preact';

import { useDeliveries } from '../../app/deliveries.ts';
import { canNotify, setNotify } from '../../app/notifying.ts';
import { inBackground } from '../../app/report-fault.ts';
import { Icon, type IconName } from '../../icons/icon.tsx';
import { locale, t } from '../../i18n/translate.ts';
import { now } from '../../state/clock.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { settings } from '../../state/settings.ts';
import { formatAgo, parseTimestamp } from '../../state/timestamp.ts';
import { describeRefusal } from '../parts/delivery-words.ts';

export function EmptyInbox({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  return (
    <div class="empty">
      <Steps mailbox={mailbox} />
      <h3>
        <span class="empty-pulse" aria-hidden="true" />
        {t('empty.title')}
      </h3>
      <Why mailbox={mailbox} />
      {canNotify() && !settings.value.notify && (
        <button
          type="button"
          class="button"
          onClick={() => {
            inBackground(setNotify(true));
          }}
        >
          <Icon name="bell" />
          <span>{t('empty.notify')}</span>
        </button>
      )}
      {mailbox.smtp === undefined && <Tips />}
    </div>
  );
}

function Steps({ mailbox: { smtp } }: { readonly mailbox: Mailbox }): VNode {
  if (smtp !== undefined) {
    return (
      <ol class="steps">
        <Step icon="code" words={t('dev.step.point', { smtp })} />
        <Step icon="paste" words={t('dev.step.send')} />
        <Step icon="mail" words={t('dev.step.appears')} />
      </ol>
    );
  }
  return (
    <ol class="steps">
      <Step icon="copy" words={t('empty.step.copy')} />
      <Step icon="paste" words={t('empty.step.paste')} />
      <Step icon="mail" words={t('empty.step.appears')} />
    </ol>
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

function Step({ icon, words }: { readonly icon: IconName; readonly words: string }): VNode {
  return (
    <li class="step">
      <span class="step-sign">
        <Icon name={icon} />
      </span>
      <span>{words}</span>
    </li>
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
