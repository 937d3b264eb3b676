// Asks before a link is followed that may mislead. Only the second step, here, opens it. Loaded with its texts.
import type { VNode } from 'preact';

import { type Doubt, doubted } from '../../app/doubting.ts';
import { Icon } from '../../icons/icon.tsx';
import { t } from '../../i18n/translate.ts';
import '../../style-dialogs.ts';
import { Modal } from '../dialogs/modal.tsx';

export function LinkQuestion({ doubt: { link, flags } }: { readonly doubt: Doubt }): VNode {
  const close = (): void => {
    doubted.value = null;
  };
  return (
    <Modal title={t('mail.doubt')} onClose={close}>
      {flags.map((flag) => (
        <p key={flag} class="find-warning">
          <Icon name="warning" />
          <span>{t(`message.flag.${flag}`)}</span>
        </p>
      ))}
      <p>
        {t('mail.doubtLeads')}{' '}
        <b class="breakable" dir="ltr">
          {link.host}
        </b>
      </p>
      <p class="hint breakable" dir="ltr">
        {link.href}
      </p>
      <div class="modal-buttons">
        <a
          class="button"
          href={link.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          onClick={close}
          onAuxClick={close}
        >
          {t('mail.doubtOpen')}
        </a>
        <button type="button" class="button is-primary" autofocus onClick={close}>
          {t('mail.doubtStay')}
        </button>
      </div>
    </Modal>
  );
}
