import type { Command } from './command.ts';

/** `/clear`: clears the conversation; the session continues. */
export const clearCommand: Command = {
  name: 'clear',
  description: 'Clear the conversation for the model; the session continues',
  run: (_argument, { conversation }) => {
    conversation.transcript.clear();
    return (
      'The conversation was cleared: the model no longer sees anything above. ' +
      'Files, mode, model and permissions were not changed.'
    );
  },
};
