import { parseArguments } from './argument/arguments.ts';
import { toTitle } from './argument/title.ts';
import { textContent } from './content.ts';
import type { Tool } from './tool.ts';

/** `task`: has a sub-agent do a part of the work, and answers with its result. */
export const taskTool: Tool = {
  name: 'task',
  kind: 'other',
  isParallel: true,
  description:
    'Gives a task to a sub-agent with a conversation of its own, waits for its end and answers with its last message. ' +
    'Several calls in one response run at the same time. It knows nothing of this conversation, and starts no sub-agents.',
  inputSchema: {
    type: 'object',
    properties: {
      prompt: {
        type: 'string',
        description: 'The whole task: what to do, everything it has to know for that, and what to answer',
      },
      kind: {
        type: 'string',
        enum: ['explore', 'work'],
        description: '`explore` only reads; `work`, the default, may do what you may',
      },
      title: { type: 'string', description: 'The task in a few words, for the user' },
    },
    required: ['prompt'],
  },
  prepare(input) {
    const given = parseArguments('task', input);
    const prompt = given.word('prompt');
    const kind = given.optionalChoice('kind', ['explore', 'work']) ?? 'work';
    const title = toTitle(given.optionalWord('title') ?? prompt);
    return {
      title: toTitle(kind === 'explore' ? `Explore: ${title}` : `Task: ${title}`),
      action: { kind: 'none' },
      run: async ({ runSubagent, signal }) => {
        const { sessionId, stopReason, text } = await runSubagent({ kind, title, prompt });
        signal.throwIfAborted();
        return {
          text,
          content: [{ type: 'session', sessionId }, textContent(text)],
          rawOutput: { sessionId, stopReason },
          isError: stopReason !== 'end_turn',
        };
      },
    };
  },
};
