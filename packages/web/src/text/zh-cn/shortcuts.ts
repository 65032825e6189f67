import type { shortcuts as english } from '../en/shortcuts.ts';

export const shortcuts: typeof english = {
  actions: {
    'new-session': '新建会话',
    search: '搜索所有会话',
    inbox: '转到待处理',
    agents: '转到智能体',
    settings: '转到设置',
    changes: '显示或隐藏此会话的更改',
    'next-session': '列表中的下一个会话',
    'previous-session': '列表中的上一个会话',
    palette: '查找任何操作，打字时也有效',
    help: '显示此列表',
  },
  help: '不在输入框中打字时有效。',
};
