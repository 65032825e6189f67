import type { Texts } from './en.ts';
import { zhCnFirst } from './zh-cn-first.ts';
import { agents } from './zh-cn/agents.ts';
import { changes } from './zh-cn/changes.ts';
import { conversation } from './zh-cn/conversation.ts';
import { inbox } from './zh-cn/inbox.ts';
import { inspector } from './zh-cn/inspector.ts';
import { machines } from './zh-cn/machines.ts';
import { own, ownToolTitles } from './zh-cn/own.ts';
import { palette } from './zh-cn/palette.ts';
import { prompt } from './zh-cn/prompt.ts';
import { search } from './zh-cn/search.ts';
import { session } from './zh-cn/session.ts';
import { settings } from './zh-cn/settings.ts';
import { shortcuts } from './zh-cn/shortcuts.ts';
import { subagents } from './zh-cn/subagents.ts';
import { usage } from './zh-cn/usage.ts';
import { worktrees } from './zh-cn/worktrees.ts';

/** All texts, in Simplified Chinese. */
export const zhCn: Texts = {
  ...zhCnFirst,
  agents,
  changes,
  conversation,
  inbox,
  inspector,
  machines,
  own,
  ownToolTitles,
  palette,
  prompt,
  search,
  session,
  settings,
  shortcuts,
  subagents,
  usage,
  worktrees,
};
