// Stands in place of address and inbox when there is none: it is being created, could not be created, has ended, or
// everything was forgotten. Each state says so and offers the next step.
import type { ComponentChildren, VNode } from 'preact';

import { describeError } from '../../api/error-words.ts';
import {
  createFirstAddress,
  creationError,
  dismissAddress,
  isForgotten,
  undoForgetting,
} from '../../app/addresses.ts';
import { isPhone } from '../../app/screen.ts';
import { Icon, type IconName } from '../../icons/icon.tsx';
import { t } from '../../i18n/translate.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { mailboxes } from '../../state/mailboxes.ts';

export function NoAddress(): VNode {
  if (isForgotten.value) {
    return (
      <PlainState icon="check" title={t('forgotten.title')} text={t('forgotten.text')}>
        <NewAddressButton label={t('over.new')} />
        {undoForgetting.value && (
          <button type="button" class="button is-large" onClick={undoForgetting.value}>
            {t('message.undo')}
          </button>
        )}
      </PlainState>
    );
  }
  const { value: error } = creationError;
  if (error) {
    return (
      <PlainState icon="warning" title={t('failed.title')} text={describeError(error)}>
        <NewAddressButton label={t('app.retry')} />
      </PlainState>
    );
  }
  return (
    <>
      <div class="inbox" aria-busy="true">
        <div class="inbox-head is-making">
          <p>{t('address.making')}</p>
        </div>
      </div>
      <div class="reader">{!isPhone.value && <Making />}</div>
    </>
  );
}

/** Nothing yet, with the reason if the service does not answer. */
export function Making({ mailbox }: { readonly mailbox?: Mailbox }): VNode {
  const isWaiting = mailbox?.connection.value === 'waiting';
  return <p class="reader-empty">{isWaiting ? t('connection.hint.waiting') : t('app.loading')}</p>;
}

export function OverView({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const hasOthers = mailboxes.value.length > 1;
  return (
    <PlainState icon="clock" title={t('over.title')} text={t('over.text', { email: mailbox.email })}>
      <NewAddressButton label={t('over.new')} />
      {hasOthers && (
        <button
          type="button"
          class="button is-large"
          onClick={() => {
            dismissAddress(mailbox);
          }}
        >
          {t('app.close')}
        </button>
      )}
    </PlainState>
  );
}

function NewAddressButton({ label }: { readonly label: string }): VNode {
  return (
    <button type="button" class="button is-primary is-large" onClick={() => void createFirstAddress()}>
      <span>{label}</span>
    </button>
  );
}

interface PlainStateProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly children: ComponentChildren;
}

function PlainState({ icon, title, text, children }: PlainStateProps): VNode {
  return (
    <section class="plain-state" role="status">
      <div class="empty-sign">
        <Icon name={icon} />
      </div>
      <h2>{title}</h2>
      <p class="breakable">{text}</p>
      <div class="plain-state-buttons">{children}</div>
    </section>
  );
}
