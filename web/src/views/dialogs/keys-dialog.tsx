// The list of keyboard shortcuts.
import type { VNode } from 'preact';

import { t } from '../../i18n/translate.ts';
import { Modal } from './modal.tsx';

export function KeysDialog(): VNode {
  const rows = [
    ['j', t('keys.next')],
    ['k', t('keys.previous')],
    [t('keys.enter'), t('keys.open')],
    [t('keys.escape'), t('keys.back')],
    ['c', t('keys.copy')],
    ['a', t('keys.copyAddress')],
    ['d', t('keys.delete')],
    ['x', t('keys.choose')],
    ['m', t('keys.mark')],
    ['u', t('keys.undo')],
    ['/', t('keys.search')],
    ['n', t('keys.new')],
    ['s', t('keys.switch')],
    ['?', t('keys.help')],
  ] as const;
  return (
    <Modal title={t('keys.title')}>
      <dl class="keys">
        {rows.map(([key, words]) => (
          <div key={key} class="key-row">
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
