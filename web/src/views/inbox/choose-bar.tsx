// Actions on the selected messages, and the box that selects all.
import type { VNode } from 'preact';

import {
  chooseAll,
  chooseNone,
  deleteChosen,
  isAnyUnread,
  listChosen,
  markChosen,
  stopChoosing,
} from '../../app/choosing.ts';
import { Icon, type IconName } from '../../icons/icon.tsx';
import { t, tn } from '../../i18n/translate.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import '../../styles/inbox/choose.css';

export function ChooseBar({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const ids = listChosen(mailbox);
  const all = mailbox.found.value.length;
  const makesRead = isAnyUnread(mailbox, ids);
  const isNone = ids.length === 0;
  return (
    <div class="choose-bar" role="toolbar" aria-label={t('choose.label')}>
      <label class="choose-all">
        <input
          type="checkbox"
          aria-label={t('choose.all')}
          checked={ids.length === all && all > 0}
          ref={(box) => {
            if (box) box.indeterminate = ids.length > 0 && ids.length < all;
          }}
          onChange={(event) => {
            if (event.currentTarget.checked) chooseAll(mailbox);
            else chooseNone();
          }}
        />
        <span role="status">{tn('choose.count', ids.length)}</span>
      </label>
      <Act
        icon={makesRead ? 'opened' : 'mail'}
        label={makesRead ? t('choose.markRead') : t('choose.markUnread')}
        isOff={isNone}
        onClick={() => {
          markChosen(mailbox);
        }}
      />
      <Act
        icon="trash"
        label={t('choose.delete')}
        isOff={isNone}
        onClick={() => {
          deleteChosen(mailbox);
        }}
      />
      <Act icon="close" label={t('choose.stop')} onClick={stopChoosing} />
    </div>
  );
}

interface ActProps {
  readonly icon: IconName;
  readonly label: string;
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

function Act({ icon, label, isOff = false, onClick }: ActProps): VNode {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) onClick();
      }}
    >
      <Icon name={icon} />
    </button>
  );
}
