import type { sessions as english } from '../en/sessions.ts';

export const sessions: typeof english = {
  title: '会话',
};
