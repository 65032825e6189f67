/** The agent wrote a file through the client. */
export interface FileWriteEvent {
  readonly type: 'file-write';
  readonly sessionId: string;
  /** The sub-agent, by the id of its session. @default the session itself */
  readonly subagent?: string;
  readonly toolCallId: string;
  /** The real path. */
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
}

/** The content of a file, as far as it is stored. */
export type FileState =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'omitted'; readonly reason: 'binary' | 'too-large' };

/** The agent started a command through the client. */
export interface TerminalStartEvent {
  readonly type: 'terminal-start';
  readonly sessionId: string;
  /** The sub-agent, by the id of its session. @default the session itself */
  readonly subagent?: string;
  readonly terminalId: string;
  readonly toolCallId: string;
  /** As one line. */
  readonly command: string;
  readonly cwd: string;
}

/** A command of a terminal has ended. */
export interface TerminalEndEvent {
  readonly type: 'terminal-end';
  readonly sessionId: string;
  /** The sub-agent, by the id of its session. @default the session itself */
  readonly subagent?: string;
  readonly terminalId: string;
  /** The end of its output. */
  readonly output: string;
  readonly truncated: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
}
