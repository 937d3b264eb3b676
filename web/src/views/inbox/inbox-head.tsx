// The current address, its remaining time, and the actions on it.
import type { VNode } from 'preact';

import { createNow, dismissAddress, extendAddress } from '../../app/addresses.ts';
import { deleteMessages } from '../../app/deleting.ts';
import { openDialog } from '../../app/navigation.ts';
import { inBackground } from '../../app/report-fault.ts';
import { t } from '../../i18n/translate.ts';
import { isLongName, lineWords, nameLines } from '../../state/addresses/name-lines.ts';
import { now } from '../../state/clock.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { formatCountdown } from '../../state/timestamp.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Menu, MenuItem } from '../parts/menu.tsx';

export function InboxHead({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  return mailbox.smtp === undefined ? (
    <AddressHead mailbox={mailbox} />
  ) : (
    <SmtpHead mailbox={mailbox} smtp={mailbox.smtp} />
  );
}

/** The heading for a developer's service, where a server rather than an address takes all mail. */
function SmtpHead({ mailbox, smtp }: { readonly mailbox: Mailbox; readonly smtp: string }): VNode {
  return (
    <section class="inbox-head" aria-labelledby="address-label">
      <h2 id="address-label" class="shared-label">
        {t('dev.title')}
      </h2>
      <OwnLabel mailbox={mailbox} />
      <div class="inbox-head-line">
        <p class="address" dir="ltr" data-testid="address">
          <span class="address-local">{smtp}</span>
        </p>
        <CopyButton
          class="button is-primary"
          text={smtp}
          label={t('address.copyShort')}
          name={t('dev.copy')}
          done={t('dev.copied')}
        />
        <AddressMenu mailbox={mailbox} />
      </div>
    </section>
  );
}

function AddressHead({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const { email, isOver } = mailbox;
  const at = email.lastIndexOf('@');
  return (
    <section class="inbox-head" aria-labelledby="address-label">
      <h2 id="address-label" class={mailbox.isShared ? 'shared-label' : 'visually-hidden'}>
        {mailbox.isShared ? t('address.shared') : t('address.yours')}
      </h2>
      <OwnLabel mailbox={mailbox} />
      <div class="inbox-head-line">
        <p class="address" dir="ltr" data-testid="address">
          <Name name={email.slice(0, at)} />
          <span class="address-domain">{email.slice(at)}</span>
        </p>
        {!isOver.value && (
          <>
            <CopyButton
              class="button is-primary"
              text={email}
              label={t('address.copyShort')}
              name={t('address.copy')}
              done={t('address.copied')}
            />
            <AddressMenu mailbox={mailbox} />
          </>
        )}
      </div>
      {isOver.value ? <Ended /> : <Countdown mailbox={mailbox} />}
    </section>
  );
}

function OwnLabel({ mailbox: { label } }: { readonly mailbox: Mailbox }): VNode | null {
  if (label.value === '') return null;
  return (
    <p class="own-label">
      <bdi>{label.value}</bdi>
    </p>
  );
}

/** As first-request.ts has shown it. */
function Name({ name }: { readonly name: string }): VNode {
  return (
    <span class={isLongName(name) ? 'address-local is-long' : 'address-local'}>
      {nameLines(name).map((line) => (
        <span key={line}>{lineWords(line).flatMap((word, at) => [word, <wbr key={at} />])}</span>
      ))}
    </span>
  );
}

/** The address has ended; what it showed stays. */
function Ended(): VNode {
  return (
    <div class="ended" role="status">
      <h3>{t('over.title')}</h3>
      <p>{t('over.stays')}</p>
      <button
        type="button"
        class="button is-primary"
        onClick={() => {
          inBackground(createNow());
        }}
      >
        {t('over.new')}
      </button>
    </div>
  );
}

function AddressMenu({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const open = (name: 'label' | 'share' | 'log' | 'end') => () => {
    openDialog(name);
  };
  return (
    <Menu label={t('address.more')}>
      {!mailbox.isReadOnly && <MenuItem icon="qr" label={t('address.qr')} onChoose={open('share')} />}
      <MenuItem icon="label" label={t('label.open')} onChoose={open('label')} />
      <MenuItem icon="list" label={t('log.open')} onChoose={open('log')} />
      {!mailbox.isReadOnly && mailbox.shown.value.length > 0 && (
        <MenuItem
          icon="trash"
          label={t('choose.deleteAll')}
          onChoose={() => {
            deleteMessages(
              mailbox,
              mailbox.shown.value.map(({ id }) => id),
            );
          }}
        />
      )}
      {mailbox.smtp !== undefined ? null : mailbox.isReadOnly ? (
        // An inbox owned by someone else is hidden, not ended.
        <MenuItem
          icon="end"
          label={t('address.remove')}
          onChoose={() => {
            dismissAddress(mailbox);
          }}
        />
      ) : (
        <MenuItem icon="end" label={t('address.end')} isDanger onChoose={open('end')} />
      )}
    </Menu>
  );
}

function Countdown({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const left = mailbox.endsAt.value - now.value;
  return (
    <div class={`countdown${left < 5 * 60_000 ? ' is-soon' : ''}`}>
      <span role="timer">{t('address.endsIn', { time: formatCountdown(left) })}</span>
      {!mailbox.isReadOnly && (
        <button
          type="button"
          class="text-button"
          onClick={() => {
            inBackground(extendAddress(mailbox));
          }}
        >
          {t('address.extend')}
        </button>
      )}
    </div>
  );
}
