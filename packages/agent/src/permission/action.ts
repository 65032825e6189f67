/** What a tool call does to the world, as far as permission goes. */
export type Action =
  /** Looks at files inside the session's directories. */
  | { readonly kind: 'read' }
  /** Asks the user something. */
  | { readonly kind: 'ask-user' }
  | FileChange
  | { readonly kind: 'execute'; readonly command: string };

/** A change of files inside the session's directories: new or changed content, a removal, another place. */
export interface FileChange {
  readonly kind: 'edit' | 'delete' | 'move';
}

/** An action somebody may have to allow. */
export type GuardedAction = Exclude<Action, { readonly kind: 'read' | 'ask-user' }>;
