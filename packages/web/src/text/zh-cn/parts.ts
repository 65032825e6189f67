import type { parts as english } from '../en/parts.ts';

export const parts: typeof english = {
  copied: '已复制',
  copyFailed: '无法复制：浏览器不允许',
  close: '关闭',
};
