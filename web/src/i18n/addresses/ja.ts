// Japanese texts for having several addresses and opening them elsewhere; part of ja.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': 'ラベル',
  'switcher.search': 'アドレスを検索',
  'switcher.none': 'アドレスが見つかりません。',
  'keep.saveFile': { other: '{n} 件のアドレスを保存' },

  'push.failed': 'ブラウザのプッシュサービスに接続できませんでした。後でもう一度お試しください。',
};
