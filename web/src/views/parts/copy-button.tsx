// A button that copies and confirms it: its label changes for two seconds, and screen readers announce it.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { copyText } from '../../app/copy-text.ts';
import { notify, say } from '../../app/notices.ts';
import { reportError } from '../../app/report-fault.ts';
import { Icon } from '../../icons/icon.tsx';
import { t } from '../../i18n/translate.ts';

export interface CopyButtonProps {
  readonly text: string;
  /** The button's text. */
  readonly label: string;
  /** The announcement on success; `Copied` by default. */
  readonly done?: string;
  /** The name for screen readers, where the label does not say what is copied; begins with the label (WCAG 2.5.3). */
  readonly name?: string;
  readonly class?: string;
  readonly tabIndex?: number;
}

const shownMs = 2000;

export function CopyButton(props: CopyButtonProps): VNode {
  const { text, label, done, name, class: classes = 'button', tabIndex } = props;
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
      tabIndex={tabIndex}
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
