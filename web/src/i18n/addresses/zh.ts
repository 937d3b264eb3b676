// Chinese texts for having several addresses and opening them elsewhere; part of zh.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': '标签',
  'switcher.search': '搜索地址',
  'switcher.none': '未找到地址。',
  'keep.saveFile': { other: '保存 {n} 个地址' },

  'push.choice': '页面关闭时也通知',
  'push.hint': '浏览器的推送服务只知道邮件何时到达，不知道发件人和内容。',
  'push.failed': '无法连接此浏览器的推送服务，请稍后再试。',
};
