// Shares the inbox, moves it to another device, or shows just the address, as a QR code and a link. The code for QR
// codes is loaded when first needed, and a read-only link is created then too.
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentType, VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import { requireApiError } from '../../api/api-error.ts';
import { describeError } from '../../api/error-words.ts';
import { createShare, revokeShares } from '../../api/operations.ts';
import { closeDialog } from '../../app/navigation.ts';
import { notify } from '../../app/notices.ts';
import { inBackground, reportError } from '../../app/report-fault.ts';
import { toShareLink } from '../../app/shared-token.ts';
import { t } from '../../i18n/translate.ts';
import type { QrCodeProps } from '../../qr/qr-code.tsx';
import type { Mailbox } from '../../state/mailbox.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Modal } from './modal.tsx';

type Choice = 'link' | 'inbox' | 'address';

/** Session token → token of the share created by this page, so that a second look does not create another. */
const made = new Map<string, string>();

export function ShareDialog({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const { email, token } = mailbox;
  const choice = useSignal<Choice>('link');
  const problem = useSignal('');
  const share = useShare(token, problem);
  const { text, label, hint } = describeChoice(choice.value, mailbox, share);
  const isLink = choice.value !== 'address';
  return (
    <Modal title={t('share.title')}>
      <Choices choice={choice} />
      <Drawing text={text} label={label} />
      <bdi class="share-email">{email}</bdi>
      <p class="hint is-centered">{hint}</p>
      <p class="problem" role="alert">
        {choice.value === 'link' ? problem.value : ''}
      </p>
      {text !== null && (
        <CopyButton
          key={choice.value}
          class="button is-wide"
          text={text}
          label={isLink ? t('share.copyLink') : t('address.copy')}
          done={isLink ? t('share.linkCopied') : t('address.copied')}
        />
      )}
      {text !== null && 'share' in navigator && (
        <button
          type="button"
          class="button is-wide"
          onClick={() => {
            shareElsewhere(isLink, text);
          }}
        >
          {t('share.send')}
        </button>
      )}
      {choice.value === 'link' && text !== null && <StopSharing token={token} />}
    </Modal>
  );
}

/** Opens the system's share sheet. */
function shareElsewhere(isLink: boolean, text: string): void {
  navigator.share(isLink ? { url: text } : { text }).catch((error: unknown) => {
    // The share sheet was closed without a choice.
    if (!(error instanceof DOMException && error.name === 'AbortError')) reportError(error);
  });
}

interface Described {
  /** Null until it is available. */
  readonly text: string | null;
  readonly label: string;
  readonly hint: string;
}

function describeChoice(choice: Choice, { email, token }: Mailbox, share: string | null): Described {
  switch (choice) {
    case 'link': {
      const text = share === null ? null : toShareLink(share);
      return { text, label: t('share.qrShareLabel'), hint: t('share.linkHint') };
    }
    case 'inbox':
      return { text: toShareLink(token), label: t('share.qrInboxLabel'), hint: t('share.inboxHint') };
    case 'address':
      return { text: email, label: t('share.qrLabel', { text: email }), hint: t('share.addressHint') };
  }
}

function Choices({ choice }: { readonly choice: Signal<Choice> }): VNode {
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">{t('share.what')}</legend>
      {(['link', 'inbox', 'address'] as const).map((one) => (
        <label key={one} class="segment">
          <input
            type="radio"
            name="share"
            checked={choice.value === one}
            onChange={() => {
              choice.value = one;
            }}
          />
          <span>{t(`share.${one}` as const)}</span>
        </label>
      ))}
    </fieldset>
  );
}

function StopSharing({ token }: { readonly token: string }): VNode {
  const stop = async (): Promise<void> => {
    await revokeShares(token);
    made.delete(token);
    closeDialog();
    notify({ kind: 'info', text: t('share.stopped') });
  };
  return (
    <button
      type="button"
      class="button is-wide"
      onClick={() => {
        inBackground(stop());
      }}
    >
      {t('share.stop')}
    </button>
  );
}

function useShare(token: string, problem: Signal<string>): string | null {
  const share = useSignal(made.get(token) ?? null);
  useEffect(() => {
    if (share.value !== null) return;
    createShare(token).then(
      (created) => {
        made.set(token, created.share);
        share.value = created.share;
      },
      (error: unknown) => {
        problem.value = describeError(requireApiError(error));
      },
    );
  }, [token, share, problem]);
  return share.value;
}

function Drawing({ text, label }: { readonly text: string | null; readonly label: string }): VNode {
  // Wrapped in an object, because the signal would call a function.
  const found = useSignal<{ readonly QrCode: ComponentType<QrCodeProps> } | null>(null);
  useEffect(() => {
    import('../../qr/qr-code.tsx').then(({ QrCode }) => {
      found.value = { QrCode };
    }, reportError);
  }, [found]);
  const QrCode = found.value?.QrCode;
  return <div class="qr">{QrCode && text !== null && <QrCode text={text} label={label} />}</div>;
}
