// How a message is shown, where there is a choice: its colours on a dark page, the layout of a wide one, and for testers the
// width of the window that reads it. Loaded with its texts when a message needs it.
import type { VNode } from 'preact';

import { isDark } from '../../app/dark.ts';
import { t } from '../../i18n/translate.ts';
import type { FrameState } from './frame-state.ts';

export interface FrameToolsProps {
  readonly state: FrameState;
  readonly isForTesters: boolean;
}

/** Those of a small phone and of most newsletters, and the whole. */
const widths = [320, 600, null] as const;

export function FrameTools({ state, isForTesters }: FrameToolsProps): VNode {
  const { wish, width } = state;
  const { isReadable } = wish.value;
  return (
    <>
      {isForTesters && (
        <Choice
          label={t('dev.width')}
          options={widths.map((one) => ({
            label: one === null ? t('dev.widthFull') : t('dev.widthPixels', { width: one }),
            isOn: width.value === one,
            choose: () => {
              width.value = one;
            },
          }))}
        />
      )}
      {state.isSmall.value && (
        <Choice
          label={t('mail.layout')}
          options={[true, false].map((one) => ({
            label: t(one ? 'mail.readable' : 'mail.fit'),
            isOn: isReadable === one,
            choose: () => {
              wish.value = { ...wish.value, isReadable: one };
            },
          }))}
        />
      )}
      {isDark.value && (
        <button
          type="button"
          class="text-button"
          onClick={() => {
            wish.value = { ...wish.value, scheme: state.isDark.value ? 'light' : 'dark' };
          }}
        >
          {t(state.isDark.value ? 'mail.asSent' : 'mail.darken')}
        </button>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly options: readonly {
    readonly label: string;
    readonly isOn: boolean;
    readonly choose: () => void;
  }[];
}

function Choice({ label, options }: ChoiceProps): VNode {
  return (
    <div class="frame-choice" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.label}
          type="button"
          class="frame-option"
          aria-pressed={option.isOn}
          onClick={option.choose}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
