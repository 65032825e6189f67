import { agents } from './en/agents.ts';
import { conversation } from './en/conversation.ts';
import { decide } from './en/decide.ts';
import { inspector } from './en/inspector.ts';
import { parts } from './en/parts.ts';
import { prompt } from './en/prompt.ts';
import { search } from './en/search.ts';
import { sessions } from './en/sessions.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';

/** All texts, in English. Other languages have the same keys. */
export const en = {
  agents,
  conversation,
  decide,
  inspector,
  parts,
  prompt,
  search,
  sessions,
  settings,
  shell,
};

/** What each catalogue holds. */
export type Texts = typeof en;
