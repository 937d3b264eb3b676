// Carries the inbox, or just the address, to another device: a QR code and a link. The drawing of codes is fetched when
// it is first wanted.
import { useSignal } from '@preact/signals';
import type { ComponentType, VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import { reportError } from '../app/report-fault.ts';
import { toShareLink } from '../app/share-link.ts';
import { t } from '../i18n/translate.ts';
import type { QrCodeProps } from '../qr/qr-code.tsx';
import type { Mailbox } from '../state/mailbox.ts';
import { CopyButton } from './copy-button.tsx';
import { Modal } from './modal.tsx';

export function ShareDialog({ mailbox: { email, token } }: { readonly mailbox: Mailbox }): VNode {
  const what = useSignal<'inbox' | 'address'>('inbox');
  const QrCode = useQrCode();
  const isInbox = what.value === 'inbox';
  const text = isInbox ? toShareLink(token) : email;
  const label = isInbox ? t('share.qrInboxLabel') : t('share.qrLabel', { text: email });
  return (
    <Modal title={t('share.title')}>
      <fieldset class="segments">
        <legend class="visually-hidden">{t('share.what')}</legend>
        {(['inbox', 'address'] as const).map((one) => (
          <label key={one} class="segment">
            <input
              type="radio"
              name="share"
              checked={what.value === one}
              onChange={() => {
                what.value = one;
              }}
            />
            <span>{t(`share.${one}` as const)}</span>
          </label>
        ))}
      </fieldset>
      <div class="qr">{QrCode && <QrCode text={text} label={label} />}</div>
      <bdi class="share-email">{email}</bdi>
      <p class="hint is-centered">{isInbox ? t('share.inboxHint') : t('share.addressHint')}</p>
      <CopyButton
        key={what.value}
        class="button is-wide"
        text={text}
        label={isInbox ? t('share.copyLink') : t('address.copy')}
        done={isInbox ? t('share.linkCopied') : t('address.copied')}
      />
    </Modal>
  );
}

function useQrCode(): ComponentType<QrCodeProps> | null {
  // In an object: a signal of a function would be taken for one to call.
  const found = useSignal<{ readonly QrCode: ComponentType<QrCodeProps> } | null>(null);
  useEffect(() => {
    import('../qr/qr-code.tsx').then(({ QrCode }) => {
      found.value = { QrCode };
    }, reportError);
  }, [found]);
  return found.value?.QrCode ?? null;
}
