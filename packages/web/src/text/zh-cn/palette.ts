import type { palette as english } from '../en/palette.ts';

export const palette: typeof english = {
  title: '命令',
  placeholder: '键入命令、会话、设置或页面…',
  nothing: '没有匹配项',
  found: (count) => `${count} 个结果`,
  groups: {
    session: '当前会话',
    commands: '智能体的命令',
    sessions: '会话',
    begin: '新建',
    go: '转到',
    look: '外观',
    search: '搜索',
  },
  beginWith: (agent) => `使用 ${agent} 新建会话`,
  set: (name, value) => `${name}：${value}`,
};
