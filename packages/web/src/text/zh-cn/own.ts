import type { OwnTexts, OwnToolTitles } from '../own-text.ts';

/** Texts of the catalogue and of our own agent. */
export const own: OwnTexts = {
  // Settings and modes.
  Mode: '模式',
  Model: '模型',
  'Thought level': '思考程度',
  Default: '默认',
  None: '无',
  Minimal: '最低',
  Low: '低',
  Medium: '中',
  High: '高',
  'Very high': '很高',
  Maximum: '最高',
  Confirm: '确认',
  'Edits and commands need your approval': '编辑和命令需要你的批准',
  'Workspace write': '写入工作区',
  "Edits files in the session's folders. Commands need your approval":
    '可编辑会话文件夹中的文件。命令需要你的批准',
  'Full access': '完全访问',
  "Edits files in the session's folders and runs commands without asking":
    '编辑会话文件夹中的文件并运行命令，无需询问',
  'Read only': '只读',
  'Edits and commands are refused': '拒绝编辑和命令',
  Plan: '计划',
  'Reads and proposes a plan. Edits and commands are refused': '读取并提出计划。拒绝编辑和命令',

  // Answers to a plan.
  'Go ahead, ask before each change': '开始执行，每次更改前询问',
  'Go ahead, change files without asking': '开始执行，更改文件时不询问',
  'Keep planning': '继续规划',

  // Agents of the catalogue.
  "Augment Code's agent for the terminal, with an index of the whole code base.":
    'Augment Code 的终端智能体，带有整个代码库的索引。',
  "Anthropic's Claude Code, through the adapter of the protocol's own project.":
    'Anthropic 的 Claude Code，通过协议项目自己的适配器运行。',
  "OpenAI's Codex, through the adapter of the protocol's own project.":
    'OpenAI 的 Codex，通过协议项目自己的适配器运行。',
  "Cursor's agent, without the editor.": 'Cursor 的智能体，无需编辑器。',
  "Google's agent for the terminal, with Gemini models.": 'Google 的终端智能体，使用 Gemini 模型。',
  "GitHub's agent for the terminal.": 'GitHub 的终端智能体。',
  "Block's open source agent, extended through MCP servers.": 'Block 的开源智能体，可通过 MCP 服务器扩展。',
  "Moonshot AI's agent for the terminal, with Kimi models.": '月之暗面的终端智能体，使用 Kimi 模型。',
  "Mistral's open source agent for the terminal.": 'Mistral 的开源终端智能体。',
  'An open source agent that works with the models of many providers.': '支持众多提供商模型的开源智能体。',
  "Parley's built-in agent. Works without an API key or network, with the offline demo model.":
    'Parley 自带的智能体。内置离线模型，无需密钥或网络即可使用。',
  'The small agent pi, through an adapter that runs the installed command.':
    '小型智能体 pi，通过运行已安装命令的适配器使用。',
  "Alibaba's agent for the terminal, made for Qwen models.": '阿里巴巴的终端智能体，专为 Qwen 模型打造。',

  // Commands.
  'Clear the conversation for the model; the session continues': '清除模型的对话；会话继续',
  'Replace the conversation with a summary, to free space': '用摘要代替对话以腾出空间',
  'Show the commands, the modes, and what the agent can do': '显示命令、模式以及智能体的功能',
  'Show the modes, or change to one': '显示或切换模式',
  'Show the models, or change to one': '显示或切换模型',
  'List the rules for tool calls, or revoke remembered answers': '列出工具调用的规则，或撤销已保存的决定',
  'Show how much of the context window is used': '显示模型上下文窗口的用量',

  // Notices.
  'The offline model answers': '正在使用离线模型',
  'parley/offline is not a language model. It follows one instruction per line; send "help" for the list.':
    'parley/offline 不是语言模型。它每行执行一条指令；发送“help”查看列表。',
  'The last turn was interrupted': '上一轮被中断',
  'The MCP servers are not those of before': 'MCP 服务器与之前不同',
  'The session continues with the new ones.': '会话将使用现在提供的 MCP 服务器继续。',
  'The model is not that of before': '模型与之前不同',
  'Its provider is no longer available; using {}.': '其提供商在此处已不可用；现在使用 {}。',
  'Part of this session is lost': '此会话的部分内容已丢失',
  'Its file is damaged in {} places, which were skipped.': '其文件有 {} 处损坏；损坏的内容已略去。',
  'This session is not saved any more': '此会话不再保存',
  'It continues, but everything from now on is lost when it is closed: {}':
    '会话可以继续，但此后的内容在关闭时会丢失：{}',
  'A command in the background ended': '后台命令已结束',
  'A command still runs in the background': '后台命令仍在运行',
  'The MCP server "{}" did not start': 'MCP 服务器“{}”未能启动',
  '{}. The session continues without it.': '{}。会话将在没有它的情况下继续。',
  'The MCP server "{}" is not ready': 'MCP 服务器“{}”尚未就绪',
  'Its tools are there from the first turn after it has answered.': '它响应后，从下一轮起即可使用其工具。',
  'Lost the connection to the MCP server "{}"': 'MCP 服务器“{}”已断开',
  'Its tools are not available any more.': '其工具已不可用。',
  'Only {} MCP servers were started': '只启动了 {} 个 MCP 服务器',
  'The session was given {}; the others are left out.': '会话提供了 {} 个；其余的已略去。',
  'The model is asked again': '正在重新请求模型',
  '{}. Attempt {} of {} in {} s.': '{}。第 {} 次尝试（共 {} 次），{} 秒后进行。',
  'The older part of the conversation is forgotten': '较早的对话已被清除',
  'The conversation is too long for the model and could not be summarized. Files are not affected.':
    '对话对模型来说过长，且无法生成摘要。文件保持不变。',
};

/** The first title that matches counts. */
export const ownToolTitles: OwnToolTitles = {
  read: { 'Read {}': '读取 {}' },
  list: { 'List {}': '列出 {}' },
  glob: { 'Find {}': '查找 {}' },
  search: { 'Search {}': '搜索 {}' },
  write: { 'Write {}': '写入 {}' },
  replace: { 'Edit {}': '编辑 {}' },
  edit: { 'Edit {}': '编辑 {}' },
  patch: { 'Apply a patch': '应用补丁' },
  delete: { 'Delete {}': '删除 {}' },
  move: { 'Move {} to {}': '移动 {} 到 {}' },
  run: {
    'Run in the background, outside of the sandbox: {}': '在后台于沙盒外运行 {}',
    'Run in the background: {}': '在后台运行 {}',
    'Run outside of the sandbox {}': '在沙盒外运行 {}',
    'Run {}': '运行 {}',
  },
  output: { 'Output of {}: {}': '{} 的输出：{}' },
  stop: { 'Stop {}: {}': '停止 {}：{}' },
  fetch: { 'Fetch {}': '获取 {}' },
  think: { 'Think: {}': '思考：{}' },
  ask: { 'Ask: {}': '提问：{}' },
  task: { 'Explore: {}': '探索：{}', 'Task: {}': '任务：{}' },
  submit_plan: { 'Plan ready for approval': '计划等待批准' },
};
