import { parseArguments } from './arguments.ts';
import { textContent } from './content.ts';
import { toTitle } from './title.ts';
import type { Tool } from './tool.ts';

/** `ask`: puts a question to the user. */
export const askTool: Tool = {
  name: 'ask',
  kind: 'other',
  description: 'Asks the user a question and waits for the answer.',
  inputSchema: { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] },
  prepare(input) {
    const question = parseArguments('ask', input).word('question');
    return {
      title: toTitle(`Ask: ${question}`),
      action: { kind: 'ask-user' },
      run: async ({ askUser }) => {
        const answer = await askUser(question);
        return { text: answer, content: [textContent(answer)], rawOutput: { answer } };
      },
    };
  },
};
