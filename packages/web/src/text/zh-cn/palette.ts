import type { palette as english } from '../en/palette.ts';

export const palette: typeof english = {
  title: '命令面板',
  placeholder: '会话、设置、命令或页面…',
  nothing: '没有匹配的条目。',
  found: (count) => `${count} 个条目`,
  groups: {
    session: '当前会话',
    commands: '智能体的命令',
    sessions: '会话',
    begin: '新建',
    go: '前往',
    look: '外观',
    search: '搜索',
  },
  beginWith: (agent) => `用 ${agent} 新建会话`,
  set: (name, value) => `${name}：${value}`,
};
