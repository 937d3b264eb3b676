// Asks for consent before an inbox from a link is added.
import type { VNode } from 'preact';

import { acceptOffer, declineOffer, offered } from '../../app/share-link.ts';
import { t } from '../../i18n/translate.ts';
import { isReadOnly } from '../../state/addresses/stored-sessions.ts';
import { Modal } from './modal.tsx';

export function OfferDialog(): VNode | null {
  const session = offered.value;
  if (!session) return null;
  const { token, email } = session;
  return (
    <Modal title={t('share.askTitle')} onClose={declineOffer}>
      <p class="breakable">{t(isReadOnly(token) ? 'share.ask' : 'share.askOwn', { email })}</p>
      <div class="modal-buttons">
        <button type="button" class="button" autofocus onClick={declineOffer}>
          {t('share.decline')}
        </button>
        <button type="button" class="button is-primary" onClick={acceptOffer}>
          {t('share.accept')}
        </button>
      </div>
    </Modal>
  );
}
