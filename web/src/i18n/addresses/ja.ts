// Japanese texts for having several addresses and opening them elsewhere; part of ja.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': 'ラベル',
  'label.title': 'このアドレスにラベルを付ける',
  'label.field': 'ラベル',
  'label.hint': '自分だけに表示され、このブラウザーに保存されます。',
  'label.save': '保存',
  'switcher.search': 'アドレスを検索',
  'switcher.none': 'アドレスが見つかりません。',
  'keep.title': 'アドレスの復元と保存',
  'keep.token': 'トークンまたはリンク',
  'keep.tokenHint': 'アドレスのトークンか受信箱のリンクを貼り付けてください。',
  'keep.tokenWrong': 'トークンでも受信箱のリンクでもありません。',
  'keep.tokenOver': 'このアドレスは終了したか、存在しません。',
  'keep.open': '開く',
  'keep.opened': '{email} を開きました。',
  'keep.known': '{email} はすでに開いています。',
  'keep.full': 'このブラウザーに保存できるアドレスは {most} 件までです。先にどれかを終了してください。',
  'keep.load': 'ファイルから復元',
  'keep.loadHint': '自分で保存したファイルだけを開いてください。',
  'keep.chooseFile': 'ファイルを選択…',
  'keep.file.foreign': 'このファイルには保存されたアドレスがありません。',
  'keep.file.newer':
    'このファイルは新しいバージョンのページで作られています。再読み込みしてからもう一度お試しください。',
  'keep.file.large': '保存されたアドレスのファイルとしては大きすぎます。',
  'keep.file.many': 'このファイルのアドレスは、上限の {most} 件を超えています。',
  'keep.summary': '{total} 件中 {taken} 件を復元しました',
  'keep.entry': '{place} 件目',
  'keep.result.taken': '復元しました',
  'keep.result.known': 'すでに開いています',
  'keep.result.over': '終了しています',
  'keep.result.wrong': 'アドレスではありません',
  'keep.result.full': '空きがありません',
  'keep.result.failed': '応答なし。もう一度お試しください',
  'keep.save': 'ファイルに保存',
  'keep.warning':
    'このファイルには受信箱の鍵が含まれます。入手した人は誰でもメールを読んだり削除したりできます。',
  'keep.saveFile': { other: '{n} 件のアドレスを保存' },

  'push.choice': 'このページを閉じているときも',
  'push.hint': 'ブラウザのプッシュサービスにはメールの到着時刻だけが伝わり、送信者や内容は伝わりません。',
  'push.failed': 'ブラウザのプッシュサービスに接続できませんでした。後でもう一度お試しください。',
};
