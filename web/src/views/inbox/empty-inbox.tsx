// An empty inbox: how to use it, and after a minute why mail might be missing.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import { canNotify, setNotify } from '../../app/notifying.ts';
import { inBackground } from '../../app/report-fault.ts';
import { Icon, type IconName } from '../../icons/icon.tsx';
import { t } from '../../i18n/translate.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { settings } from '../../state/settings.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { lazyWithTexts } from '../parts/lazy.tsx';

const LateReasons = lazyWithTexts(async () => (await import('./late-reasons.tsx')).LateReasons);

/** Most mail comes within it; before, there is nothing to say about what has not come. */
const usualPatienceMs = 60_000;

interface EmptyInboxProps {
  readonly mailbox: Mailbox;
  readonly patienceMs?: number;
}

export function EmptyInbox({ mailbox, patienceMs = usualPatienceMs }: EmptyInboxProps): VNode {
  const isLate = useIsLate(mailbox, patienceMs);
  return (
    <div class="empty">
      <Steps mailbox={mailbox} />
      <h3>
        <span class="empty-pulse" aria-hidden="true" />
        {t('empty.title')}
      </h3>
      {canNotify() && !settings.value.notify && (
        <button
          type="button"
          class="button"
          onClick={() => {
            inBackground(setNotify(true));
          }}
        >
          <Icon name="bell" />
          <span>{t('empty.notify')}</span>
        </button>
      )}
      {isLate && <LateReasons mailbox={mailbox} />}
    </div>
  );
}

function useIsLate(mailbox: Mailbox, patienceMs: number): boolean {
  const isLate = useSignal(false);
  useEffect(() => {
    isLate.value = false;
    const timer = setTimeout(() => {
      isLate.value = true;
    }, patienceMs);
    return () => {
      clearTimeout(timer);
    };
  }, [mailbox, patienceMs, isLate]);
  return isLate.value;
}

/** The first is the button that copies. */
function Steps({ mailbox: { smtp, email } }: { readonly mailbox: Mailbox }): VNode {
  const isServer = smtp !== undefined;
  return (
    <ol class="steps">
      <li class="step">
        <CopyButton
          class="step-copy"
          text={smtp ?? email}
          label={isServer ? t('dev.step.point', { smtp }) : t('empty.step.copy')}
          done={isServer ? t('dev.copied') : t('address.copied')}
        />
      </li>
      <Step icon="paste" words={isServer ? t('dev.step.send') : t('empty.step.paste')} />
      <Step icon="mail" words={isServer ? t('dev.step.appears') : t('empty.step.appears')} />
    </ol>
  );
}

function Step({ icon, words }: { readonly icon: IconName; readonly words: string }): VNode {
  return (
    <li class="step">
      <span class="step-sign">
        <Icon name={icon} />
      </span>
      <span>{words}</span>
    </li>
  );
}
