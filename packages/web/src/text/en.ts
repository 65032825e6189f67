import { enFirst } from './en-first.ts';
import { agents } from './en/agents.ts';
import { changes } from './en/changes.ts';
import { conversation } from './en/conversation.ts';
import { inbox } from './en/inbox.ts';
import { inspector } from './en/inspector.ts';
import { machines } from './en/machines.ts';
import { own, ownToolTitles } from './en/own.ts';
import { palette } from './en/palette.ts';
import { prompt } from './en/prompt.ts';
import { search } from './en/search.ts';
import { session } from './en/session.ts';
import { settings } from './en/settings.ts';
import { shortcuts } from './en/shortcuts.ts';
import { subagents } from './en/subagents.ts';
import { usage } from './en/usage.ts';
import { worktrees } from './en/worktrees.ts';

/** All texts in English. Other languages have the same keys. */
export const en = {
  ...enFirst,
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

/** The type of a text catalogue. */
export type Texts = typeof en;
