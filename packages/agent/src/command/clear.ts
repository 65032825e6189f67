import type { Command } from './command.ts';

/** `/clear`: the model forgets, the session goes on. */
export const clearCommand: Command = {
  name: 'clear',
  description: 'Clear the conversation for the model; the session continues',
  run: (_argument, { conversation }) => {
    conversation.transcript.clear();
    return (
      'The conversation was cleared: the model no longer sees anything above. ' +
      'Files, mode, model and permissions are as they were.'
    );
  },
};
