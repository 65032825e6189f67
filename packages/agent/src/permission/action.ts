/** The effect of a tool call, as far as permissions are concerned. */
export type Action =
  /** Looks at files inside the session's directories. */
  | { readonly kind: 'read' }
  /** No effect: thoughts, plans, or reading what the session itself started. */
  | { readonly kind: 'none' }
  /** Asks the user something. */
  | { readonly kind: 'ask-user' }
  /** Asks the user to approve a plan, which changes the mode. */
  | { readonly kind: 'switch-mode'; readonly plan: string }
  | FileChange
  | CommandAction
  | { readonly kind: 'fetch'; readonly host: string }
  | McpAction;

/** A shell line. */
export interface CommandAction {
  readonly kind: 'execute';
  readonly command: string;
  /**
   * Whether it runs in the sandbox for commands, and needs no permission there, or leaves it. @default there is none
   */
  readonly sandbox?: 'inside' | 'approved' | 'outside';
}

/** A change of files inside the session's directories: new or changed content, a removal, another place. */
export interface FileChange {
  readonly kind: 'edit' | 'delete' | 'move';
}

/** A call of a tool of an MCP server. */
export interface McpAction {
  readonly kind: 'mcp';
  /** The name the agent gave the tool. */
  readonly tool: string;
  /** Whether the server declares the tool as read-only; then modes without changes still ask the user. */
  readonly isReadOnly: boolean;
}

/** An action that may need permission. */
export type RestrictedAction = Exclude<
  Action,
  { readonly kind: 'read' | 'none' | 'ask-user' | 'switch-mode' }
>;
