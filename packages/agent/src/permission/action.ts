/** What a tool call does to the world, as far as permission goes. */
export type Action =
  /** Looks at files inside the session's directories. */
  | { readonly kind: 'read' }
  /** Touches nothing: a thought, a plan, a look at what the session started itself. */
  | { readonly kind: 'none' }
  /** Asks the user something. */
  | { readonly kind: 'ask-user' }
  /** Asks the user to approve a plan, which changes the mode. */
  | { readonly kind: 'switch-mode'; readonly plan: string }
  | FileChange
  | { readonly kind: 'execute'; readonly command: string }
  | { readonly kind: 'fetch'; readonly host: string }
  | McpAction;

/** A change of files inside the session's directories: new or changed content, a removal, another place. */
export interface FileChange {
  readonly kind: 'edit' | 'delete' | 'move';
}

/** A call of a tool of an MCP server. */
export interface McpAction {
  readonly kind: 'mcp';
  /** The name the agent gave the tool. */
  readonly tool: string;
  /** The server says that the tool changes nothing; it is believed only so far that the user is asked. */
  readonly isReadOnly: boolean;
}

/** An action that may need permission. */
export type RestrictedAction = Exclude<
  Action,
  { readonly kind: 'read' | 'none' | 'ask-user' | 'switch-mode' }
>;
