import type { prompt as english } from '../en/prompt.ts';

export const prompt: typeof english = {
  title: '提示',
};
