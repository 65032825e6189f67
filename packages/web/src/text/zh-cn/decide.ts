import type { decide as english } from '../en/decide.ts';

export const decide: typeof english = {
  title: '待办',
};
