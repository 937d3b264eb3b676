// Saves addresses to a file and opens them again, from that file or from a token or link. The file contains keys to
// mail, and the dialog warns of this before saving.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';

import { requireApiError } from '../../api/api-error.ts';
import { describeError } from '../../api/error-words.ts';
import { closeDialog } from '../../app/navigation.ts';
import { notify } from '../../app/notices.ts';
import { reportError } from '../../app/report-fault.ts';
import { countSavable, findToken, restoreToken, saveAddressFile } from '../../app/restoring.ts';
import { Icon } from '../../icons/icon.tsx';
import { t, tn } from '../../i18n/translate.ts';
import { mostSessions } from '../../state/addresses/stored-sessions.ts';
import { FileRestore } from './file-restore.tsx';
import { Modal } from './modal.tsx';

export function KeepDialog(): VNode {
  return (
    <Modal title={t('keep.title')}>
      <OpenByToken />
      <FileRestore />
      <SaveFile />
    </Modal>
  );
}

function OpenByToken(): VNode {
  const text = useSignal('');
  const problem = useSignal('');
  const isBusy = useSignal(false);
  const id = useId();
  const open = async (): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    problem.value = '';
    try {
      problem.value = await openPasted(text.value);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        open().catch(reportError);
      }}
    >
      <div class="field">
        <label for={id}>{t('keep.token')}</label>
        <div class="field-line">
          <input
            id={id}
            dir="ltr"
            maxLength={2000}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            autofocus
            aria-describedby={`${id}-hint ${id}-problem`}
            aria-invalid={problem.value !== ''}
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
          <button type="submit" class="button is-primary" aria-disabled={isBusy.value}>
            {t('keep.open')}
          </button>
        </div>
      </div>
      <p id={`${id}-hint`} class="hint">
        {t('keep.tokenHint')}
      </p>
      <p id={`${id}-problem`} class="problem" role="alert">
        {problem.value}
      </p>
    </form>
  );
}

/** Resolves with the error in words, or empty once the address is open. */
async function openPasted(text: string): Promise<string> {
  const token = findToken(text);
  if (token === undefined) return t('keep.tokenWrong');
  try {
    const { outcome, email } = await restoreToken(token);
    if (outcome === 'over') return t('keep.tokenOver');
    if (outcome === 'full') return t('keep.full', { most: mostSessions });
    closeDialog();
    notify({ kind: 'info', text: t(outcome === 'known' ? 'keep.known' : 'keep.opened', { email }) });
    return '';
  } catch (error) {
    return describeError(requireApiError(error));
  }
}

function SaveFile(): VNode | null {
  const count = countSavable();
  if (count === 0) return null;
  return (
    <section class="options" aria-labelledby="keep-save">
      <h3 id="keep-save" class="form-title">
        {t('keep.save')}
      </h3>
      <p class="warning-line">
        <Icon name="warning" />
        <span>{t('keep.warning')}</span>
      </p>
      <button type="button" class="button is-wide" onClick={saveAddressFile}>
        <Icon name="download" />
        <span>{tn('keep.saveFile', count)}</span>
      </button>
    </section>
  );
}
