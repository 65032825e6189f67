import type { agents as english } from '../en/agents.ts';

export const agents: typeof english = {
  title: '智能体',
};
