import type { Command } from './command.ts';

/** `/clear`: the model forgets, the session goes on. */
export const clearCommand: Command = {
  name: 'clear',
  description: 'Let the model forget all that was said; the session goes on',
  run: (_argument, { session }) => {
    session.conversation.clear();
    return (
      'The conversation was cleared: of what stands above, the model knows nothing any more. ' +
      'Files, mode, model and permissions are as they were.'
    );
  },
};
