/** What a line of a chat asks for. */
export type ChatLine =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'help' }
  | { readonly kind: 'new' }
  /** Lists the session's changes. */
  | { readonly kind: 'changes' }
  /** Redoes what was undone last. */
  | { readonly kind: 'redo' }
  /** Undoes the last turn, or this one; of it all files, or those at a path. */
  | { readonly kind: 'undo'; readonly turn?: number; readonly path?: string }
  | { readonly kind: 'exit' }
  | { readonly kind: 'login' }
  | { readonly kind: 'logout' }
  | { readonly kind: 'mode'; readonly id?: string }
  | { readonly kind: 'model'; readonly id?: string }
  /** All of the last result is shown. */
  | { readonly kind: 'last' }
  /** The last turns are shown. */
  | { readonly kind: 'history'; readonly turns?: number }
  /** What waits to be sent is shown, or changed. */
  | { readonly kind: 'queue'; readonly words: string }
  /** Sub-agents are listed, or one is unfolded. */
  | { readonly kind: 'subagents'; readonly words: string }
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
    case 'undo':
      return agentCommands.includes(name) ? { kind: 'prompt', text } : parseUndo(id.trim());
    case 'changes':
    case 'redo':
    case 'login':
    case 'logout':
      // An agent that has these itself knows better what they take.
      return agentCommands.includes(name) ? { kind: 'prompt', text } : { kind: name };
    case 'history':
      return /^\d{1,6}$/u.test(id) ? { kind: 'history', turns: Number(id) } : { kind: 'history' };
    case 'queue':
    case 'subagents':
      return { kind: name, words: id.trim() };
    case 'mode':
    case 'model':
      return id === '' ? { kind: name } : { kind: name, id };
    default:
      // A path is no command.
      if (agentCommands.includes(name) || name.includes('/')) return { kind: 'prompt', text };
      return { kind: 'unknown', name };
  }
}

/** Reads `[TURN] [PATH]`; the path may have spaces. */
function parseUndo(words: string): ChatLine {
  const [, turn, path = ''] = /^(?:(\d{1,6})(?:\s+|$))?(.*)$/su.exec(words) ?? [];
  return {
    kind: 'undo',
    ...(turn !== undefined && { turn: Number(turn) }),
    ...(path !== '' && { path }),
  };
}
