import { toPlainLine } from '../../output/plain.ts';
import { chatCommands } from '../chat-commands.ts';
import type { ChatSession } from '../chat-session.ts';
import type { Complete } from './completion.ts';

/** Files that a completion finds. */
const maxFiles = 20;

/** Completes commands of the chat and of its agent, and files of a folder. */
export function completeIn(session: () => Pick<ChatSession, 'commands' | 'cwd'>, cwd: string): Complete {
  return {
    commands: (query) => {
      const wanted = query.toLowerCase();
      const theirs = session().commands.map(({ name, description }) => ({
        value: toPlainLine(name),
        description: toPlainLine(description),
      }));
      const ours = chatCommands.map(({ name, summary }) => ({ value: name, description: summary }));
      const names = new Set(ours.map(({ value }) => value));
      const all = [...ours, ...theirs.filter(({ value }) => !names.has(value))];
      return all.filter(({ value }) => value.toLowerCase().startsWith(wanted));
    },
    files: async (query, signal) => {
      const { findFiles } = await import('@parley/workspace');
      return findFiles(session().cwd ?? cwd, query.replace(/^"/u, ''), { limit: maxFiles, signal });
    },
  };
}
