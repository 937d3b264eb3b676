// Edits the reader's name for an address, which stays in this browser.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';

import { closeDialog } from '../../app/navigation.ts';
import { t } from '../../i18n/translate.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { labelMailbox } from '../../state/mailboxes.ts';
import { longestLabel } from '../../state/addresses/stored-sessions.ts';
import { Modal } from './modal.tsx';

export function LabelDialog({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const label = useSignal(mailbox.label.value);
  const id = useId();
  return (
    <Modal title={t('label.title')}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          labelMailbox(mailbox, label.value);
          closeDialog();
        }}
      >
        <bdi class="breakable">{mailbox.email}</bdi>
        <div class="field">
          <label for={id}>{t('label.field')}</label>
          <input
            id={id}
            dir="auto"
            maxLength={longestLabel}
            autocomplete="off"
            autofocus
            aria-describedby={`${id}-hint`}
            value={label.value}
            onInput={(event) => {
              label.value = event.currentTarget.value;
            }}
          />
        </div>
        <p id={`${id}-hint`} class="hint">
          {t('label.hint')}
        </p>
        <button type="submit" class="button is-primary is-wide">
          {t('label.save')}
        </button>
      </form>
    </Modal>
  );
}
