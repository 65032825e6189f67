/** A command of the chat. */
export interface ChatCommand {
  readonly name: string;
  /** What may follow it. */
  readonly argument?: string;
  readonly summary: string;
}

/** The commands of a chat, as `/help` lists them. */
export const chatCommands: readonly ChatCommand[] = [
  { name: 'mode', argument: '[ID]', summary: 'show the modes, or change to one' },
  { name: 'model', argument: '[ID]', summary: 'show the models, or change to one' },
  { name: 'history', argument: '[N]', summary: 'show the last N turns of the session' },
  { name: 'last', summary: 'show the whole result of the last tool call' },
  { name: 'new', summary: 'start a new session' },
  { name: 'changes', summary: 'show what the turns of this session changed' },
  {
    name: 'undo',
    argument: '[TURN] [PATH]',
    summary: 'undo the last turn, or the named turn or path',
  },
  { name: 'redo', summary: 'redo the last undo' },
  {
    name: 'subagents',
    argument: '[stop] [N]',
    summary: 'list the sub-agents; expand one to follow it, or stop it',
  },
  { name: 'queue', summary: 'show queued prompts; send, drop, edit or move them' },
  { name: 'login', summary: 'sign in to the agent' },
  { name: 'logout', summary: 'sign out' },
  { name: 'exit', summary: 'leave (same as Ctrl-D)' },
  { name: 'help', summary: 'show this list' },
];
