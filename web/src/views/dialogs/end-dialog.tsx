// Asks for confirmation before an address and its mail are deleted for good.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';

import { requireApiError } from '../../api/api-error.ts';
import { describeError } from '../../api/error-words.ts';
import { endAddress } from '../../app/addresses.ts';
import { closeDialog } from '../../app/navigation.ts';
import { reportError } from '../../app/report-fault.ts';
import { t } from '../../i18n/translate.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { Modal } from './modal.tsx';

export function EndDialog({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const problem = useSignal('');
  const end = async (): Promise<void> => {
    try {
      await endAddress(mailbox);
      closeDialog();
    } catch (error) {
      problem.value = describeError(requireApiError(error));
    }
  };
  return (
    <Modal title={t('end.title')}>
      <p class="breakable">{t('end.text', { email: mailbox.email })}</p>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <div class="modal-buttons">
        <button type="button" class="button" autofocus onClick={closeDialog}>
          {t('end.keep')}
        </button>
        <button
          type="button"
          class="button is-danger"
          onClick={() => {
            end().catch(reportError);
          }}
        >
          {t('end.confirm')}
        </button>
      </div>
    </Modal>
  );
}
