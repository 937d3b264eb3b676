// The address lent, large, and what can be done with it. What one comes for is the one large button.
import type { VNode } from 'preact';

import { dismissAddress, extendAddress } from '../app/addresses.ts';
import { openDialog } from '../app/navigation.ts';
import { inBackground } from '../app/report-fault.ts';
import { Icon, type IconName } from '../icons/icon.tsx';
import { t } from '../i18n/translate.ts';
import { now } from '../state/clock.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { formatCountdown } from '../state/timestamp.ts';
import { CopyButton } from './copy-button.tsx';

export function AddressCard({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const { email } = mailbox;
  return (
    <section class="address-card" aria-labelledby="address-label">
      <div class="address-main">
        <h2 id="address-label" class="address-label">
          {mailbox.isShared ? t('address.shared') : t('address.yours')}
        </h2>
        <Address email={email} />
        <Countdown mailbox={mailbox} />
      </div>
      <div class="address-actions">
        <CopyButton
          class="button is-primary is-large"
          text={email}
          label={t('address.copy')}
          done={t('address.copied')}
        />
        <div class="address-more">
          {!mailbox.isReadOnly && <Action icon="qr" label={t('address.qr')} opens="share" />}
          <Action icon="plus" label={t('address.new')} opens="create" />
          {mailbox.isReadOnly ? (
            <Remove mailbox={mailbox} />
          ) : (
            <Action icon="end" label={t('address.end')} opens="end" />
          )}
        </div>
      </div>
    </section>
  );
}

/** May break after the @ and nowhere else as long as there is room. */
function Address({ email }: { readonly email: string }): VNode {
  const at = email.lastIndexOf('@');
  return (
    <p class="address" dir="ltr" data-testid="address">
      <span class="address-local">{email.slice(0, at)}</span>
      <wbr />
      <span class="address-domain">{email.slice(at)}</span>
    </p>
  );
}

function Countdown({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const left = mailbox.endsAt.value - now.value;
  const urgency = left < 60_000 ? ' is-last' : left < 5 * 60_000 ? ' is-soon' : '';
  return (
    <div class={`countdown${urgency}`}>
      <Icon name="clock" />
      <span role="timer">{t('address.endsIn', { time: formatCountdown(left) })}</span>
      {!mailbox.isReadOnly && (
        <button
          type="button"
          class="button is-small"
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

interface ActionProps {
  readonly icon: IconName;
  readonly label: string;
  readonly opens: 'share' | 'create' | 'end';
}

function Action({ icon, label, opens }: ActionProps): VNode {
  return (
    <button
      type="button"
      class="button"
      onClick={() => {
        openDialog(opens);
      }}
    >
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  );
}

/** Somebody else's: it is not ended here, only no longer shown. */
function Remove({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  return (
    <button
      type="button"
      class="button"
      onClick={() => {
        dismissAddress(mailbox);
      }}
    >
      <Icon name="end" />
      <span>{t('address.remove')}</span>
    </button>
  );
}
