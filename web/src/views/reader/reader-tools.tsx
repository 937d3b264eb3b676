// The toolbar of the open message.
import type { ComponentChildren, VNode } from 'preact';

import { markMessages } from '../../app/choosing.ts';
import { copyAndNotify } from '../../app/copying.ts';
import { deleteMessage } from '../../app/deleting.ts';
import { moveSelection } from '../../app/keyboard.ts';
import { closeMessage, isEnlarged } from '../../app/navigation.ts';
import type { Reading } from '../../app/reading.ts';
import { inBackground } from '../../app/report-fault.ts';
import { saveRawMail } from '../../app/mail-files/saving.ts';
import { toShareLink } from '../../app/shared-token.ts';
import { canChange } from '../../state/mailbox.ts';
import { Icon, type IconName } from '../../icons/icon.tsx';
import { t } from '../../i18n/translate.ts';

export interface ReaderToolsProps {
  readonly reading: Reading;
  /** The switch between views, where there is room for it. */
  readonly children?: ComponentChildren;
}

export function ReaderTools({ reading, children }: ReaderToolsProps): VNode {
  const { mailbox, id, message } = reading;
  const { value: shown } = mailbox.found;
  const at = shown.findIndex((one) => one.id === id);
  return (
    <div class="toolbar">
      <Tool class="only-phone" icon="back" label={t('app.back')} onClick={closeMessage} />
      <Step icon="up" label={t('keys.previous')} by={-1} isPossible={at > 0} />
      <Step icon="down" label={t('keys.next')} by={1} isPossible={at >= 0 && at < shown.length - 1} />
      {children}
      <span class="toolbar-gap" />
      {message && (
        <>
          {mailbox.smtp !== undefined && <CopyLink reading={reading} />}
          <Enlarge />
          <Tool
            icon="download"
            label={t('message.download')}
            onClick={() => {
              inBackground(saveRawMail(reading));
            }}
          />
          <Tool
            class="only-panes"
            icon="print"
            label={t('message.print')}
            onClick={() => {
              window.print();
            }}
          />
          {canChange(mailbox) && (
            <Tool
              icon="mail"
              label={t('choose.markUnread')}
              onClick={() => {
                markMessages(mailbox, [id], false);
              }}
            />
          )}
          {canChange(mailbox) && (
            <Tool
              icon="trash"
              label={t('message.delete')}
              onClick={() => {
                deleteMessage(mailbox, id);
              }}
            />
          )}
        </>
      )}
    </div>
  );
}

/** A developer's own inbox has no secrets, and the link opens it without a question. */
function CopyLink({ reading: { mailbox, id } }: { readonly reading: Reading }): VNode {
  return (
    <Tool
      icon="open"
      label={t('dev.copyLink')}
      onClick={() => {
        inBackground(copyAndNotify(toShareLink(mailbox.token, id), t('dev.linkCopied')));
      }}
    />
  );
}

function Enlarge(): VNode {
  const { value: isLarge } = isEnlarged;
  return (
    <Tool
      class="only-panes"
      icon={isLarge ? 'shrink' : 'expand'}
      label={isLarge ? t('message.shrink') : t('message.expand')}
      onClick={() => {
        isEnlarged.value = !isLarge;
      }}
    />
  );
}

interface StepProps {
  readonly icon: IconName;
  readonly label: string;
  readonly by: 1 | -1;
  readonly isPossible: boolean;
}

function Step({ icon, label, by, isPossible }: StepProps): VNode {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      aria-disabled={!isPossible}
      onClick={() => {
        if (isPossible) moveSelection(by);
      }}
    >
      <Icon name={icon} />
    </button>
  );
}

interface ToolProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly class?: string;
}

function Tool({ icon, label, onClick, class: more = '' }: ToolProps): VNode {
  return (
    <button type="button" class={`icon-button ${more}`} aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
