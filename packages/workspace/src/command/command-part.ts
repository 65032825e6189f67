/** A word of a command. */
export interface CommandWord {
  /** The text without quotes; unchanged if the word is not literal. */
  readonly text: string;
  /** Whether the shell passes exactly this text: nothing in it is expanded. */
  readonly isLiteral: boolean;
}

/** `NAME=value` before a command, or alone. */
export interface CommandAssignment {
  readonly name: string;
  readonly value: CommandWord;
}

/**
 * One command of a shell line, which runs as one program. A part without words runs no program, but sets variables or
 * opens files.
 */
export interface CommandPart {
  readonly words: readonly CommandWord[];
  readonly assignments: readonly CommandAssignment[];
  /** The files that its redirections write to, except `/dev/null`. */
  readonly writes: readonly CommandWord[];
  /** The files that its redirections only read. */
  readonly reads: readonly CommandWord[];
}
