// Creates an address of the reader's choice: name, domain, lifetime.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import type { DomainList } from '../../api/answers.ts';
import { type ApiError, requireApiError } from '../../api/api-error.ts';
import { describeError } from '../../api/error-words.ts';
import { listDomains, type NewSession } from '../../api/operations.ts';
import { createAddress } from '../../app/addresses.ts';
import { closeDialog, openDialog } from '../../app/navigation.ts';
import { reportError } from '../../app/report-fault.ts';
import { t } from '../../i18n/translate.ts';
import { mailboxes } from '../../state/mailboxes.ts';
import { AddressForm } from './address-form.tsx';
import { Modal } from './modal.tsx';

const nameFaults = new Set(['invalid_prefix', 'reserved_prefix', 'address_taken']);

export function CreateDialog(): VNode {
  const places = useDomains();
  const isBusy = useSignal(false);
  const problem = useSignal<ApiError | null>(null);
  const create = async (wanted: NewSession): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    problem.value = null;
    try {
      await createAddress(wanted);
      closeDialog();
    } catch (error) {
      problem.value = requireApiError(error);
    } finally {
      isBusy.value = false;
    }
  };
  const submit = (wanted: NewSession): void => {
    create(wanted).catch(reportError);
  };
  return (
    <Modal title={t('create.title')}>
      {mailboxes.value.length > 0 && <p class="hint">{t('create.intro')}</p>}
      <AddressForm
        places={places}
        isBusy={isBusy.value}
        problem={problem.value ? describeError(problem.value) : ''}
        isNameWrong={nameFaults.has(problem.value?.code ?? '')}
        onSubmit={submit}
      />
      <button
        type="button"
        class="text-button restore"
        onClick={() => {
          closeDialog();
          openDialog('keep');
        }}
      >
        {t('keep.title')}
      </button>
    </Modal>
  );
}

const none: DomainList = { domains: [], gmail_accounts: [] };

function useDomains(): DomainList {
  const found = useSignal<DomainList>(none);
  useEffect(() => {
    listDomains().then((list) => {
      found.value = list;
    }, reportError);
  }, [found]);
  return found.value;
}
