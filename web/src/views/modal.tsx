// A dialog over the page: the browser's own, which keeps the focus inside, closes by Escape and gives the focus back.
// Shown for as long as it is rendered.
import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

import { closeDialog } from '../app/navigation.ts';
import { Icon } from '../icons/icon.tsx';
import { t } from '../i18n/translate.ts';

export interface ModalProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

export function Modal({ title, children }: ModalProps): VNode {
  const box = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const { current: dialog } = box;
    dialog?.showModal();
    return () => {
      dialog?.close();
    };
  }, []);
  return (
    <dialog
      ref={box}
      class="modal"
      aria-labelledby={titleId}
      onClose={(event) => {
        // Also told of a dialog that has made room for another.
        if (event.currentTarget.isConnected) closeDialog();
      }}
      onClick={(event) => {
        // Only the backdrop is the dialog itself; what is in it covers the rest.
        if (event.target === event.currentTarget) closeDialog();
      }}
    >
      <div class="modal-box">
        <header class="modal-head">
          <h2 id={titleId}>{title}</h2>
          <button type="button" class="icon-button" aria-label={t('app.close')} onClick={closeDialog}>
            <Icon name="close" />
          </button>
        </header>
        <div class="modal-body">{children}</div>
      </div>
    </dialog>
  );
}
