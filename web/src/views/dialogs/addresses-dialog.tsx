// The sheet with all addresses, on a phone.
import type { VNode } from 'preact';

import { t } from '../../i18n/translate.ts';
import { mailboxes } from '../../state/mailboxes.ts';
import { Addresses } from '../rail/addresses.tsx';
import { Modal } from './modal.tsx';

export function AddressesDialog(): VNode {
  return (
    <Modal title={t('switcher.label')}>
      <Addresses all={mailboxes.value} />
    </Modal>
  );
}
