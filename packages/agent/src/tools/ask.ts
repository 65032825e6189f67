import type { FormOption } from '@parley/acp';
import { AgentError } from '../agent-error.ts';
import { parseArguments } from './argument/arguments.ts';
import { toTitle } from './argument/title.ts';
import { textContent } from './content.ts';
import type { Tool } from './tool.ts';

/** Choices of one question. */
const maxOptions = 20;

/** `ask`: asks the user a question, with or without choices. */
export const askTool: Tool = {
  name: 'ask',
  kind: 'other',
  description:
    'Asks the user a question and waits for the answer. With options the user may choose one, or answer in other words.',
  inputSchema: {
    type: 'object',
    properties: {
      question: { type: 'string' },
      options: {
        type: 'array',
        maxItems: maxOptions,
        description: 'Answers to choose from; leave it out for a free answer',
        items: {
          type: 'object',
          properties: {
            label: { type: 'string', description: 'The answer, in a few words' },
            description: { type: 'string', description: 'What choosing it means' },
          },
          required: ['label'],
        },
      },
      multiple: {
        type: 'boolean',
        description: 'Whether several options may be chosen; by default only one',
      },
    },
    required: ['question'],
  },
  prepare(input) {
    const given = parseArguments('ask', input);
    const text = given.word('question');
    const options = parseOptions(given.optionalList('options') ?? []);
    const isMultiple = given.optionalFlag('multiple') ?? false;
    const question = { text, ...(options.length > 0 && { options, isMultiple }) };
    return {
      title: toTitle(`Ask: ${text}`),
      action: { kind: 'ask-user' },
      run: async ({ askUser }) => {
        const answer = await askUser(question);
        return { text: answer, content: [textContent(answer)], rawOutput: { answer } };
      },
    };
  },
};

function parseOptions(list: readonly unknown[]): readonly FormOption[] {
  if (list.length > maxOptions) {
    throw new AgentError('invalid-input', `ask: "options" must be at most ${String(maxOptions)}`);
  }
  const options = list.map((value, index): FormOption => {
    if (typeof value === 'string' && value.trim() !== '') return { label: value };
    const given = parseArguments(`ask: options[${String(index)}]`, value);
    const description = given.optionalWord('description');
    return { label: given.word('label'), ...(description !== undefined && { description }) };
  });
  if (new Set(options.map(({ label }) => label)).size < options.length) {
    throw new AgentError('invalid-input', 'ask: each label of "options" must be unique');
  }
  return options;
}
