import type { subagents as english } from '../en/subagents.ts';

export const subagents: typeof english = {
  team: '可委派的智能体',
  teamHelp: '智能体可以启动这些智能体并等待其结果。默认使用配置中的团队。',
  title: '子智能体',
  working: (count, all) => `${all} 个中有 ${count} 个正在运行`,
  name: (title) => `子智能体 ${title}`,
  states: {
    running: '运行中',
    requires_action: '等待你的操作',
    idle: '空闲',
    unknown: '状态未知',
  },
  tokens: (count) => `${count.toLocaleString('zh-CN')} 个 token`,
  back: '返回会话',
  stop: '停止',
  theSession: '会话',
  message: (from, to) => `${from} → ${to}`,
};
