import type { Texts } from './en.ts';
import { zhCnFirst } from './zh-cn-first.ts';
import { agents } from './zh-cn/agents.ts';
import { changes } from './zh-cn/changes.ts';
import { conversation } from './zh-cn/conversation.ts';
import { inbox } from './zh-cn/inbox.ts';
import { inspector } from './zh-cn/inspector.ts';
import { palette } from './zh-cn/palette.ts';
import { prompt } from './zh-cn/prompt.ts';
import { search } from './zh-cn/search.ts';
import { session } from './zh-cn/session.ts';
import { settings } from './zh-cn/settings.ts';
import { shortcuts } from './zh-cn/shortcuts.ts';

/** All texts, in Simplified Chinese. */
export const zhCn: Texts = {
  ...zhCnFirst,
  agents,
  changes,
  conversation,
  inbox,
  inspector,
  palette,
  prompt,
  search,
  session,
  settings,
  shortcuts,
};
