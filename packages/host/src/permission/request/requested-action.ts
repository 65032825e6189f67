import type { ToolKind } from '@parley/acp';
import type { Protection } from '@parley/workspace/rule';

/**
 * What a permission request asks for, whole. This one object is judged, shown, recorded and granted: a grant covers an
 * act only when each field that says what happens is the same.
 */
export interface RequestedAction {
  /** The kind that counts: of what the agent declared and what the call shows, the stricter one. */
  readonly kind: ToolKind;
  /** What the agent declared, where another kind counts. */
  readonly declaredKind?: string;
  /** The tool's name, where the agent gave one. */
  readonly tool?: string;
  /** The agent's own words for the call. They stand beside what it does, never in its place. */
  readonly title?: string;
  /** What would run. */
  readonly command?: RequestedCommand;
  /** Every file that the call names: in its diffs, its locations, its input. */
  readonly files: readonly RequestedFile[];
  /** The address that would be fetched, whole. */
  readonly address?: string;
  /** The input as the agent sent it. It is shown whole where nothing above says what it means. */
  readonly input?: unknown;
  /** Text among the content of the call: what the agent explains. */
  readonly texts: readonly string[];
  /** The call shows nothing of what it would do. */
  readonly isOpaque?: true;
}

/** A program and its arguments, or a line for the shell, with all that decides what it does. */
export interface RequestedCommand {
  /** Argument vector, or the line that the shell runs. */
  readonly command: string | readonly string[];
  /** The program that this resolves to, by its real path; for a line, the shell. Absent where the agent runs it itself. */
  readonly program?: string;
  /** The folder it starts in, by its real path. */
  readonly cwd: string;
  /** That folder is outside of the session's. */
  readonly isOutside?: true;
  /** Variables that are set for it, in the order given. */
  readonly env: readonly RequestedVariable[];
}

/** A variable that is set for a command. */
export interface RequestedVariable {
  readonly name: string;
  readonly value: string;
}

/** A file that a call names. */
export interface RequestedFile {
  /** Absolute, as the agent named it. */
  readonly path: string;
  /** Where it leads, where that is another path. */
  readonly realPath?: string;
  /** It is outside of the session's folders. */
  readonly isOutside?: true;
  /** What happens to it; `named` where the call does not say. */
  readonly effect: 'read' | 'write' | 'delete' | 'move' | 'named';
  /** What would be written. */
  readonly content?: RequestedContent;
  /** What the file is, where it always asks. */
  readonly protection?: Protection;
}

/** A text that would be written. */
export interface RequestedContent {
  readonly newText: string;
  /** Absent for a new file, and for one that cannot be shown as text. */
  readonly oldText?: string;
  /** The texts are a part of the file; several parts of one file are as many entries. */
  readonly isPart?: true;
  /** SHA-256 of the UTF-8 bytes of the whole text that the file is to hold, in hexadecimal. */
  readonly hash: string;
}
