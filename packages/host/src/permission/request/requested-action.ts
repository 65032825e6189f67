import type { ToolKind } from '@parley/acp';
import type { Protection } from '@parley/workspace/rule';

/**
 * The complete action of a permission request. This one object is judged, shown, recorded and granted: a grant covers
 * an act only if every field that describes the act is equal.
 */
export interface RequestedAction {
  /** The effective kind: the more harmful of what the agent declared and what the call shows. */
  readonly kind: ToolKind;
  /** The kind that the agent declared, if another one applies. */
  readonly declaredKind?: string;
  /** The tool's name, where the agent gave one. */
  readonly tool?: string;
  /** The agent's title of the call. It is shown in addition to the action, never instead of it. */
  readonly title?: string;
  /** What would run. */
  readonly command?: RequestedCommand;
  /** Every file that the call names: in its diffs, its locations, its input. */
  readonly files: readonly RequestedFile[];
  /** The address that would be fetched, whole. */
  readonly address?: string;
  /** The input as the agent sent it. It is shown completely if no other field explains it. */
  readonly input?: unknown;
  /** Text among the content of the call: what the agent explains. */
  readonly texts: readonly string[];
  /** The call does not show what it would do. */
  readonly isOpaque?: true;
  /** The host that a program in the sandbox connects to and that the sandbox does not allow, with its port. */
  readonly blockedHost?: string;
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
  /** The resolved path, if it differs. */
  readonly realPath?: string;
  /** It is outside of the session's folders. */
  readonly isOutside?: true;
  /** The effect on the file; `named` if the call does not say. */
  readonly effect: 'read' | 'write' | 'delete' | 'move' | 'named';
  /** What would be written. */
  readonly content?: RequestedContent;
  /** Why the file is protected, so that changing it always needs a permission. */
  readonly protection?: Protection;
}

/** A text that would be written. */
export interface RequestedContent {
  readonly newText: string;
  /** Absent for a new file, and for one that cannot be shown as text. */
  readonly oldText?: string;
  /** The texts are a part of the file; several parts of one file are as many entries. */
  readonly isPart?: true;
  /** SHA-256 of the UTF-8 bytes of the complete new content, in hexadecimal. */
  readonly hash: string;
}
