import type { FirstTexts } from './en-first.ts';
import { parts } from './zh-cn/parts.ts';
import { sessions } from './zh-cn/sessions.ts';
import { shell } from './zh-cn/shell.ts';

/** The texts of what is there from the first moment, in Simplified Chinese. */
export const zhCnFirst: FirstTexts = { parts, sessions, shell };
