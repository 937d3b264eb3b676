// Removes every trace of the reader from this browser and, on request, from the service.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';

import { requireApiError } from '../api/api-error.ts';
import { forgetEverything } from '../app/addresses.ts';
import { closeDialog } from '../app/navigation.ts';
import { reportError } from '../app/report-fault.ts';
import { t } from '../i18n/translate.ts';

export function ForgetForm(): VNode {
  const isEnding = useSignal(false);
  const problem = useSignal('');
  const forget = async (): Promise<void> => {
    try {
      await forgetEverything(isEnding.value);
      closeDialog();
    } catch (error) {
      requireApiError(error);
      problem.value = t('settings.forgetFailed');
    }
  };
  return (
    <section class="options forget" aria-labelledby="forget-title">
      <h3 id="forget-title" class="form-title">
        {t('settings.forget')}
      </h3>
      <p class="hint">{t('settings.forgetText')}</p>
      <label class="option">
        <input
          type="checkbox"
          checked={isEnding.value}
          onChange={(event) => {
            isEnding.value = event.currentTarget.checked;
          }}
        />
        <span>{t('settings.forgetEnd')}</span>
      </label>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <button
        type="button"
        class="button is-danger"
        onClick={() => {
          forget().catch(reportError);
        }}
      >
        {t('settings.forgetConfirm')}
      </button>
    </section>
  );
}
