// A button that copies and says so itself: its words change for two seconds, and screen readers are told.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { copyText } from '../app/copy-text.ts';
import { notify, say } from '../app/notices.ts';
import { reportError } from '../app/report-fault.ts';
import { Icon } from '../icons/icon.tsx';
import { t } from '../i18n/translate.ts';

export interface CopyButtonProps {
  readonly text: string;
  /** What the button says. */
  readonly label: string;
  /** What is said when it worked; `Copied` when absent. */
  readonly done?: string;
  /** For screen readers, where the label alone does not say what is copied; begins with the label (WCAG 2.5.3). */
  readonly name?: string;
  readonly class?: string;
}

const shownMs = 2000;

export function CopyButton({ text, label, done, name, class: classes = 'button' }: CopyButtonProps): VNode {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return undefined;
    const timer = setTimeout(() => {
      setDone(false);
    }, shownMs);
    return () => {
      clearTimeout(timer);
    };
  }, [isDone]);
  const copy = async (): Promise<void> => {
    if (await copyText(text)) {
      setDone(true);
      say(done ?? t('app.copied'));
    } else notify({ kind: 'error', text: t('app.copyFailed') });
  };
  return (
    <button
      type="button"
      class={`${classes}${isDone ? ' is-done' : ''}`}
      aria-label={isDone ? undefined : name}
      onClick={(event) => {
        event.stopPropagation();
        copy().catch(reportError);
      }}
    >
      <Icon name={isDone ? 'check' : 'copy'} />
      <span>{isDone ? t('app.copied') : label}</span>
    </button>
  );
}
