import type { search as english } from '../en/search.ts';

export const search: typeof english = {
  label: '搜索所有会话中的内容',
  help: '搜索所有会话的提示词和回答，包括早已结束的会话。',
  searching: '正在搜索…',
  places: (count) => (count === 0 ? '没有找到。' : `找到 ${count} 处。`),
  firstPlaces: (count) => `显示前 ${count} 处，多输入几个词可缩小范围。`,
  roles: { user: '提示词', agent: '回答', thought: '思考', tool: '工具调用' },
};
