import { parts } from './en/parts.ts';
import { sessions } from './en/sessions.ts';
import { shell } from './en/shell.ts';

/** The texts of what is there from the first moment, in English. */
export const enFirst = { parts, sessions, shell };

/** What is there from the first moment. */
export type FirstTexts = typeof enFirst;
