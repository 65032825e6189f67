import type { inspector as english } from '../en/inspector.ts';

export const inspector: typeof english = {
  title: '检查器',
};
