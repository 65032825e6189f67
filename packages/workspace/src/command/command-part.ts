/** A word of a command. */
export interface CommandWord {
  /** Without its quotes; a word that is not literal is as written. */
  readonly text: string;
  /** The shell passes on exactly this text: nothing in it is expanded. */
  readonly isLiteral: boolean;
}

/** `NAME=value` before a command, or alone. */
export interface CommandAssignment {
  readonly name: string;
  readonly value: CommandWord;
}

/**
 * One command of a shell line: what runs as one program. A part without words runs none, but sets variables or
 * opens files.
 */
export interface CommandPart {
  readonly words: readonly CommandWord[];
  readonly assignments: readonly CommandAssignment[];
  /** The files that its redirections write to; `/dev/null` is none. */
  readonly writes: readonly CommandWord[];
  /** The files that its redirections only read. */
  readonly reads: readonly CommandWord[];
}
