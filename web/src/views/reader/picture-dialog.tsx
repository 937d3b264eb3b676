// A picture from a message, as large as the window allows.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';

import { previewed } from '../../app/previewing.ts';
import { inBackground } from '../../app/report-fault.ts';
import { saveAttachment } from '../../app/mail-files/saving.ts';
import { Icon } from '../../icons/icon.tsx';
import { t } from '../../i18n/translate.ts';
import { Modal } from '../dialogs/modal.tsx';

export function PictureDialog(): VNode | null {
  const isBroken = useSignal(false);
  const { value } = previewed;
  if (!value) return null;
  const { reading, attachment, url } = value;
  const name = attachment.filename || t('message.unnamed');
  return (
    <Modal title={name}>
      {isBroken.value ? (
        <p role="alert">{t('preview.broken')}</p>
      ) : (
        <img
          class="picture"
          src={url}
          alt={name}
          onError={() => {
            isBroken.value = true;
          }}
        />
      )}
      <div class="modal-buttons">
        <button
          type="button"
          class="button"
          onClick={() => {
            inBackground(saveAttachment(reading, attachment.id));
          }}
        >
          <Icon name="download" />
          <span>{t('message.download')}</span>
        </button>
      </div>
    </Modal>
  );
}
