import type { session as english } from '../en/session.ts';

export const session: typeof english = {
  menu: '此会话的更多操作',
  inspector: '检查器',
  rename: '重命名',
};
