import path from 'node:path';
import type { SessionChanges } from '@parley/host';
import { turnText } from '../changes/changes-text.ts';
import { conflictLines, restoreLines } from '../changes/restore-text.ts';
import { createStyle } from '../output/style.ts';

/** What the turns of a chat's session changed, here or on a hub. */
export type ChatChanges = Pick<SessionChanges, 'list' | 'undo' | 'redo'>;

/** Number of latest turns that `/changes` lists. */
const shownTurns = 5;

/** What `/changes` says. */
export async function showChanges(changes: ChatChanges): Promise<string> {
  const { turns } = await changes.list();
  if (turns.length === 0) return 'No turn of this session changed a file.\n';
  const earlier = turns.length - shownTurns;
  const head = earlier > 0 ? `(${String(earlier)} earlier turns: parley changes list)\n` : '';
  const plain = createStyle(false, {});
  return (
    head +
    turns
      .slice(-shownTurns)
      .map((turn) => turnText(turn, plain))
      .join('')
  );
}

/** How a user of a chat is spoken to. */
export interface TakeBackOptions {
  readonly say: (text: string) => void;
  readonly complain: (message: string) => void;
  /** Asks for confirmation; without a user at a terminal, the command itself is the confirmation. */
  readonly confirm: (question: string) => Promise<boolean>;
}

/** What `/undo` or `/redo` names. */
export interface TakeBack {
  readonly kind: 'undo' | 'redo';
  /** @default the last turn that changed something */
  readonly turn?: number;
  /** A file or folder below the session's folder. @default all files that tool calls reported */
  readonly path?: string;
}

/** Undoes the last turn that changed something, or what is named, or takes that back, after a preview. */
export async function takeBack(
  { kind: what, turn: wanted, path: file }: TakeBack,
  changes: ChatChanges,
  { say, complain, confirm }: TakeBackOptions,
): Promise<void> {
  const named = {
    ...(wanted !== undefined && { turn: wanted }),
    ...(file !== undefined && { paths: [path.normalize(file).split(path.sep).join('/')] }),
  };
  const preview = await changes[what]({ ...named, dryRun: true });
  if (preview.conflicts.length > 0) {
    for (const line of conflictLines(what, preview.conflicts)) complain(line);
    return;
  }
  say(toLines(restoreLines(what, preview, { isDryRun: true })));
  if (!(await confirm(what === 'undo' ? 'Undo it?' : 'Redo it?'))) {
    say('Nothing was changed.\n');
    return;
  }
  // What the preview was of: a turn that ended meanwhile is not meant.
  const turn = what === 'undo' && preview.undone !== undefined ? { turn: preview.undone } : {};
  const done = await changes[what]({ ...named, ...turn });
  for (const line of done.conflicts.length > 0 ? conflictLines(what, done.conflicts) : []) complain(line);
  say(toLines(restoreLines(what, done, { isDryRun: false, takenBackBy: '/redo' })));
}

function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
