// A dialog over the page: the browser's own, which traps the focus, closes on Escape and returns the focus. Shown
// while it is rendered.
import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

import { closeDialog } from '../../app/navigation.ts';
import { Icon } from '../../icons/icon.tsx';
import { t } from '../../i18n/translate.ts';

export interface ModalProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Called on closing; closes the dialog by default. */
  readonly onClose?: () => void;
}

export function Modal({ title, children, onClose = closeDialog }: ModalProps): VNode {
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
      onCancel={(event) => {
        // Handled before the browser closes it: `close` comes later, and a key pressed in between would be lost.
        if (event.target === event.currentTarget) onClose();
      }}
      onClose={(event) => {
        // Also fires for a dialog that another one has replaced.
        if (event.currentTarget.isConnected) onClose();
      }}
      onClick={(event) => {
        // The dialog element itself is only hit on the backdrop; its content covers the rest.
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div class="modal-box">
        <header class="modal-head">
          <h2 id={titleId}>{title}</h2>
          <button type="button" class="icon-button" aria-label={t('app.close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <div class="modal-body">{children}</div>
      </div>
    </dialog>
  );
}
