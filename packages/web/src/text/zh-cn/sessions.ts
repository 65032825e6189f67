import type { sessions as english } from '../en/sessions.ts';

export const sessions: typeof english = {
  title: '会话',
  untitled: '无标题',
  filter: '筛选会话',
  agent: '智能体',
  allAgents: '全部智能体',
  none: '还没有会话。',
  noneFits: '没有符合条件的会话。',
  searchAll: (words) => `在所有会话中搜索“${words}”`,
  showMore: (count) => `显示更多（${count}）`,
  questions: (count) => `${count} 个待答问题`,
  groups: {
    waiting: '等待您处理',
    active: '正在运行',
    today: '今天',
    yesterday: '昨天',
    week: '最近 7 天',
    earlier: '更早',
  },
  states: {
    kept: '已保存',
    elsewhere: '在别处打开',
    starting: '正在启动',
    ready: '就绪',
    running: '运行中',
    waiting: '等待您处理',
    stopping: '正在停止',
    failed: '失败',
  },
};
