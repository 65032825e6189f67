import type { shortcuts as english } from '../en/shortcuts.ts';

export const shortcuts: typeof english = {
  actions: {
    'new-session': '新建会话',
    search: '搜索所有会话',
    inbox: '转到收件箱',
    agents: '转到智能体',
    settings: '转到设置',
    changes: '显示或隐藏更改',
    'next-session': '下一个会话',
    'previous-session': '上一个会话',
    palette: '显示所有命令',
    help: '键盘快捷键',
  },
  help: '未在输入框中键入时有效。',
};
