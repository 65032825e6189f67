import type { search as english } from '../en/search.ts';

export const search: typeof english = {
  label: '搜索所有会话',
  help: '搜索所有智能体的提示词和回答，包括旧会话。',
  searching: '正在搜索…',
  places: (count) => (count === 0 ? '没有结果' : `${count} 个结果`),
  firstPlaces: (count) => `前 ${count} 个结果。添加词语可缩小范围。`,
  roles: { user: '提示词', agent: '回答', thought: '思考', tool: '工具调用' },
};
