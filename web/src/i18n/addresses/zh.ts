// Chinese texts for having several addresses and opening them elsewhere; part of zh.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': '标签',
  'switcher.search': '搜索地址',
  'switcher.none': '未找到地址。',
  'keep.saveFile': { other: '保存 {n} 个地址' },

  'push.failed': '无法连接此浏览器的推送服务，请稍后再试。',
};
