import { parseArguments } from './argument/arguments.ts';
import { toTitle } from './argument/title.ts';
import { textContent } from './content.ts';
import type { Tool } from './tool.ts';

/** `think`: room for a thought, for models that have none of their own. */
export const thinkTool: Tool = {
  name: 'think',
  kind: 'think',
  description:
    'Notes a thought and does nothing else. Useful before a step with several possible ways, or to weigh what was found.',
  inputSchema: { type: 'object', properties: { thought: { type: 'string' } }, required: ['thought'] },
  prepare(input) {
    const thought = parseArguments('think', input).word('thought');
    return {
      title: toTitle(`Think: ${thought}`),
      action: { kind: 'none' },
      // The model has it in its call; a result that repeats it would only cost.
      run: () => Promise.resolve({ text: 'Noted', content: [textContent(thought)], rawOutput: {} }),
    };
  },
};
