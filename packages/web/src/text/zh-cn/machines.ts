import type { machines as english } from '../en/machines.ts';

export const machines: typeof english = {
  title: '机器',
  help: '共享此 hub 的服务器。每台服务器为其工作区中的会话运行智能体。',
  show: '查看机器',
  none: '此 hub 只有一台机器',
  noneHelp:
    '多台服务器共享一个 PostgreSQL 数据库即可组成一个 hub：任何一台都会显示所有会话，其中一台停止运行时会话会继续。',
  noneHow: '使用以下命令启动每台服务器：',
  isThis: '提供此页面',
  alive: '正常',
  lastAlive: '最后一次响应：',
  silentHelp: '它的会话会在拥有相应文件夹的其他机器上继续。',
  since: '加入时间',
  workspaces: '工作区',
  agents: '智能体',
  agentsOf: (used, slots) => `使用中 ${used} 个，最多 ${slots} 个`,
  sessions: '会话',
  sessionCount: (count) => `${count} 个会话`,
  noSessions: '无',
  runsOn: (machine) => `运行于 ${machine}`,
  elsewhere: '此会话已在另一台机器或其他程序（例如终端）中打开，此处为只读。',

  noFolder: (folder) => `此 hub 中没有机器拥有此会话的文件夹 ${folder}。`,
  noFolderHelp:
    '请在拥有该文件夹的机器上启动 parley serve，并用 --workspace 指定该文件夹。你发送的消息会等到那时再处理。',

  handOver: '移交…',
  handOverTitle: '要移交此会话吗？',
  handOverRunning: (machine) =>
    `智能体将在 ${machine} 上结束，并在你选择的机器上启动。对话和队列会在那里继续。`,
  handOverPaused: '智能体将在你选择的机器上启动。对话和队列会在那里继续。',
  handOverTurn: '有一轮正在运行。它会先被停止，并且不会继续。如果这很重要，请等它结束。',
  choose: '机器',
  loading: '正在查找拥有该文件夹的机器…',
  noOther: (folder) =>
    `没有其他机器拥有它的文件夹 ${folder}。共享同一文件夹的机器要使用相同的名称：--workspace NAME=FOLDER。`,
  withoutFolder: '没有该文件夹',
  noRoom: '无法再运行更多智能体',
  cancel: '取消',
  doHandOver: '移交',
  doStopAndHandOver: '停止本轮并移交',
  handingOver: '正在移交…',
  handedOver: (machine) => `会话现在运行于 ${machine}。`,
};
