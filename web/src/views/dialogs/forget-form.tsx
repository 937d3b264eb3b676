// Removes every trace of the reader from this browser and, on request, from the service, once it is confirmed.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';

import { forgetEverything } from '../../app/forgetting.ts';
import { closeDialog } from '../../app/navigation.ts';
import { inBackground } from '../../app/report-fault.ts';
import { t } from '../../i18n/translate.ts';

export function ForgetForm(): VNode {
  const isEnding = useSignal(false);
  const isAsking = useSignal(false);
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
      <p role="alert">{isAsking.value && t('settings.forgetAsk')}</p>
      {/* The same button, which keeps the focus, now takes it back: a second click in a hurry forgets nothing. */}
      <button
        type="button"
        class={isAsking.value ? 'button' : 'button is-danger'}
        onClick={() => {
          isAsking.value = !isAsking.value;
        }}
      >
        {t(isAsking.value ? 'share.decline' : 'settings.forget')}
      </button>
      {isAsking.value && (
        <button
          type="button"
          class="button is-danger"
          onClick={() => {
            inBackground(forgetEverything(isEnding.value));
            closeDialog();
          }}
        >
          {t('settings.forget')}
        </button>
      )}
    </section>
  );
}
