import type { Texts } from './en.ts';
import { agents } from './zh-cn/agents.ts';
import { conversation } from './zh-cn/conversation.ts';
import { decide } from './zh-cn/decide.ts';
import { inspector } from './zh-cn/inspector.ts';
import { parts } from './zh-cn/parts.ts';
import { prompt } from './zh-cn/prompt.ts';
import { search } from './zh-cn/search.ts';
import { session } from './zh-cn/session.ts';
import { sessions } from './zh-cn/sessions.ts';
import { settings } from './zh-cn/settings.ts';
import { shell } from './zh-cn/shell.ts';

/** All texts, in Simplified Chinese. */
export const zhCn: Texts = {
  agents,
  conversation,
  decide,
  inspector,
  parts,
  prompt,
  search,
  session,
  sessions,
  settings,
  shell,
};
