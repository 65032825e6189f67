/** The changes panel of a session, and the line below a turn that changed files. */
export const changes = {
  title: 'Changes',
  close: 'Close changes',
  open: 'Show changes',
  scope: 'Show',
  wholeSession: 'Whole session',
  turn: (turn: number): string => `Turn ${turn}`,
  turnUndone: (turn: number): string => `Turn ${turn} (undone)`,
  files: (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`),
  changedFiles: (count: number): string =>
    count === 1 ? 'Changed 1 file' : `Changed ${count.toLocaleString('en')} files`,
  reviewedOf: (reviewed: number, all: number): string => `${reviewed} of ${all} hunks reviewed`,
  onlyUnreviewed: 'Only unreviewed',
  expandAll: 'Expand all',
  collapseAll: 'Collapse all',
  loading: 'Loading changes…',
  reload: 'Retry',
  none: 'No changes',
  noneHelp: 'Files that this session changes appear here.',
  noneLeft: 'What was changed is undone or reverted. Use Redo to restore it.',
  allReviewed: 'All hunks reviewed.',
  failed: 'Could not load changes',

  statuses: {
    added: 'Added',
    modified: 'Modified',
    deleted: 'Deleted',
    renamed: 'Renamed',
    mode: 'Mode changed',
  },
  renamedFrom: (path: string): string => `from ${path}`,
  modes: (before: string, after: string): string => `mode ${before} → ${after}`,
  unreported: 'Unreported',
  unreportedHelp: 'Changed outside of tool calls, possibly by you. Undo does not touch it.',
  undone: 'Undone',
  reviewed: 'Reviewed',
  binary: 'Binary file',
  noLines: 'No lines changed.',
  unended: 'No newline at the end of the file',
  omitted: (count: number): string =>
    count === 1 ? '1 file is not covered' : `${count} files are not covered`,
  omittedWhy: {
    'too-large': 'too large',
    special: 'not a regular file',
    unreadable: 'not readable',
    repository: 'a nested repository',
    late: 'changed before the checkpoint was complete',
    ignored: 'ignored',
  },
  unavailable: (turns: readonly number[], machine?: string): string => {
    const which = turns.length === 1 ? `Turn ${turns.join()}` : `Turns ${turns.join(', ')}`;
    return machine === undefined
      ? `${which} cannot be shown by line or undone any more: the checkpoints were removed.`
      : `${which} ran on the machine “${machine}”, and cannot be shown by line or undone here.`;
  },
  moreFiles: (count: number): string => (count === 1 ? 'and 1 more file' : `and ${count} more files`),

  keep: 'Keep',
  keepAll: 'Keep all',
  revert: 'Revert',
  revertAll: 'Revert all',
  inFile: (what: string, path: string): string => `${what}: ${path}`,
  inHunk: (what: string, header: string, path: string): string => `${what}: ${header}, ${path}`,
  reverted: 'Reverted. Use Redo to restore it.',
  conflictsIn: (paths: readonly string[]): string =>
    `Nothing was changed. Later edits conflict in: ${paths.join(', ')}`,
  hunk: (header: string): string => `Hunk ${header}`,
  imageBefore: 'Before',
  imageAfter: 'After',
  imageTooLarge: (size: string): string => `Too large to show (${size})`,

  comment: 'Comment',
  commentOn: (line: number): string => `Comment on line ${line}`,
  commentLabel: 'Comment (added to your next prompt)',
  commentPlaceholder: 'What should the agent do here?',
  addToPrompt: 'Add to prompt',
  addedToPrompt: 'Added to the prompt.',
  cancel: 'Cancel',

  review: 'Review',
  undo: 'Undo',
  redo: 'Redo',
  undoTurn: (turn: number): string => `Undo turn ${turn}`,
  reviewTurn: (turn: number): string => `Review turn ${turn}`,
  undoFile: (path: string): string => `Undo ${path}`,
  undoTitle: (turn: number): string => `Undo turn ${turn}?`,
  redoTitle: 'Redo the last undo?',
  preview: 'Preview',
  previewing: 'Loading preview…',
  actions: {
    restored: 'restored',
    merged: 'merged with later edits',
    created: 'restored',
    deleted: 'deleted',
    mode: 'mode restored',
  },
  nothingToWrite: 'Nothing to change.',
  conflicts: 'Later edits conflict in these files. Nothing was changed.',
  tooLargeToReplace: 'too large to be brought back later; move it out of the folder first',
  undoAnyway: 'Undo anyway',
  redoAnyway: 'Redo anyway',
  undoAnywayHelp: '“Undo anyway” discards later edits where they conflict. Redo restores them.',
  redoAnywayHelp: '“Redo anyway” discards later edits where they conflict.',
  includeUnreported: (count: number): string =>
    count === 1
      ? 'Include 1 file changed outside of tool calls'
      : `Include ${count} files changed outside of tool calls`,
  runningHelp: 'A turn is running. Try again when it ends.',
  undoDone: 'Undone. Use Redo to restore it.',
  redoDone: 'Redone.',

  commit: 'Commit',
  commitTitle: 'Commit changes',
  commitHelp: 'Commits what this session changed. Your other edits and staged files are not affected.',
  message: 'Commit message',
  commitConflicts: 'These files also contain other edits. Nothing was committed.',
  committed: (commit: string, count: number): string =>
    count === 1 ? `Committed 1 file: ${commit}` : `Committed ${count} files: ${commit}`,
  leftOut: (count: number): string =>
    `Unreported changes in ${count === 1 ? '1 file' : `${count} files`} were not included.`,
  omittedLeftOut: (count: number): string =>
    count === 1
      ? '1 file that is not covered was not included.'
      : `${count} files that are not covered were not included.`,
  turnsLeftOut: (turns: readonly number[]): string =>
    `Not included, because their checkpoints are not stored here: ${turns.map((turn) => `turn ${turn}`).join(', ')}.`,

  keysTitle: 'Changes',
  keys: [
    { keys: ['j', 'k'], what: 'Next and previous file or hunk' },
    { keys: ['↑', '↓'], what: 'Next and previous line' },
    { keys: ['Enter'], what: 'Expand or collapse the file' },
    { keys: ['a', 'r'], what: 'Keep, revert the hunk or the file' },
    { keys: ['c'], what: 'Comment on the line or hunk' },
    { keys: ['u', 'U'], what: 'Undo, redo' },
    { keys: ['Esc'], what: 'Close changes' },
  ],
};
