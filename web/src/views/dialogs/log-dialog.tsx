// The log of all attempts to deliver to the address, described in words, with the replies to the senders.
import type { VNode } from 'preact';

import type { Delivery } from '../../api/answers.ts';
import { describeError } from '../../api/error-words.ts';
import { useDeliveries } from '../../app/deliveries.ts';
import { Icon } from '../../icons/icon.tsx';
import { locale, t } from '../../i18n/translate.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { formatFull, parseTimestamp } from '../../state/timestamp.ts';
import { describeRefusal } from '../parts/delivery-words.ts';
import { Modal } from './modal.tsx';
import { sizeWords } from '../parts/size-words.ts';

export function LogDialog({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const { list, error } = useDeliveries(mailbox);
  return (
    <Modal title={t('log.title')}>
      <p class="hint">{t('log.intro')}</p>
      {error && (
        <p class="problem" role="alert">
          {describeError(error)}
        </p>
      )}
      {!list && !error && <p class="quiet-note">{t('app.loading')}</p>}
      {list?.length === 0 && <p class="quiet-note">{t('log.none')}</p>}
      {list && list.length > 0 && (
        <ul class="log">
          {list.map((delivery, at) => (
            <Entry key={list.length - at} mailbox={mailbox} delivery={delivery} />
          ))}
        </ul>
      )}
    </Modal>
  );
}

interface EntryProps {
  readonly mailbox: Mailbox;
  readonly delivery: Delivery;
}

function Entry({ mailbox, delivery }: EntryProps): VNode {
  const { outcome, reply, size, remote_ip: ip, tls, mail_from: from } = delivery;
  const isAccepted = outcome === 'accepted';
  const at = parseTimestamp(delivery.at) - mailbox.skewMs;
  const about = [
    t('log.server', { ip }),
    tls === null ? t('log.plain') : t('log.encrypted'),
    ...(size === null ? [] : [sizeWords(size)]),
  ];
  return (
    <li class={`log-entry is-${outcome}`}>
      <Icon name={isAccepted ? 'check' : 'warning'} />
      <div>
        <p class="log-outcome">
          <strong>{isAccepted ? t('log.accepted') : t('log.refused')}</strong>
          {!isAccepted && <span>: {describeRefusal(delivery)}</span>}
        </p>
        <p class="breakable">
          <bdi>{from === null ? t('log.fromNobody') : t('log.from', { sender: from })}</bdi>
        </p>
        <p class="log-about">
          <time dateTime={new Date(at).toISOString()}>{formatFull(at, locale.value)}</time>
          {' · '}
          {about.join(' · ')}
        </p>
        <p class="log-about">{t('log.reply', { reply })}</p>
      </div>
    </li>
  );
}
