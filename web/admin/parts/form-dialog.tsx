// A dialog that does one thing: fields or a question, what went wrong, and the buttons.
import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';

import { notify } from '../../src/app/notices.ts';
import { Modal } from '../../src/views/dialogs/modal.tsx';
import { toProblem } from '../texts/describe-problem.ts';
import { text } from '../texts/text.ts';

export interface FormDialogProps {
  readonly title: string;
  readonly submit: string;
  readonly isDanger?: boolean;
  /** Resolves with what to tell, or with nothing. @throws OperationError, which is shown */
  readonly onSubmit: () => Promise<string | undefined>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function FormDialog(props: FormDialogProps): VNode {
  const { title, submit, isDanger = false, onSubmit, onClose, children } = props;
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const work = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setProblem('');
    try {
      const message = await onSubmit();
      if (message !== undefined) notify({ kind: 'info', text: message });
      onClose();
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void work();
        }}
      >
        {children}
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="modal-buttons">
          <button type="button" class="button" onClick={onClose}>
            {text('app.cancel')}
          </button>
          <button
            type="submit"
            class={`button ${isDanger ? 'is-danger' : 'is-primary'}`}
            aria-disabled={isBusy}
          >
            {submit}
          </button>
        </div>
      </form>
    </Modal>
  );
}
