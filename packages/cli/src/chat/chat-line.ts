/** What a line of a chat asks for. */
export type ChatLine =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'help' }
  | { readonly kind: 'new' }
  /** What the session changed is listed, or the last turn of it undone, or that taken back. */
  | { readonly kind: 'changes' | 'undo' | 'redo' }
  | { readonly kind: 'exit' }
  | { readonly kind: 'login' }
  | { readonly kind: 'logout' }
  | { readonly kind: 'mode'; readonly id?: string }
  | { readonly kind: 'model'; readonly id?: string }
  /** All of the last result is shown. */
  | { readonly kind: 'last' }
  /** What waits to be sent is shown, or changed. */
  | { readonly kind: 'queue'; readonly words: string }
  | { readonly kind: 'unknown'; readonly name: string };

/** Whether a line that begins with this name is for the chat, regardless of the agent's commands. */
export function isChatLine(name: string): boolean {
  return parseChatLine(`/${name}`, [name]).kind !== 'prompt';
}

/** Reads a line; a slash command that the agent offers is a prompt like any other, unless the chat has it too. */
export function parseChatLine(line: string, agentCommands: readonly string[]): ChatLine {
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  const command = /^\/(\S+)\s*(.*)$/s.exec(text);
  if (command === null) return { kind: 'prompt', text };
  const [, name = '', id = ''] = command;
  switch (name) {
    case 'help':
    case 'last':
    case 'new':
      return { kind: name };
    case 'exit':
    case 'quit':
      return { kind: 'exit' };
    case 'changes':
    case 'undo':
    case 'redo':
    case 'login':
    case 'logout':
      // An agent that has these itself knows better what they take.
      return agentCommands.includes(name) ? { kind: 'prompt', text } : { kind: name };
    case 'queue':
      return { kind: 'queue', words: id };
    case 'mode':
    case 'model':
      return id === '' ? { kind: name } : { kind: name, id };
    default:
      // A path is no command.
      if (agentCommands.includes(name) || name.includes('/')) return { kind: 'prompt', text };
      return { kind: 'unknown', name };
  }
}
