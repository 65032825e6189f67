import { parseArguments } from './arguments.ts';
import { textContent } from './content.ts';
import { toTitle } from './title.ts';
import type { Tool } from './tool.ts';

/** `move`: gives a file or folder another path. */
export const moveTool: Tool = {
  name: 'move',
  kind: 'move',
  description: "Moves a file or folder inside the session's directories; nothing is overwritten.",
  inputSchema: {
    type: 'object',
    properties: { from: { type: 'string' }, to: { type: 'string' } },
    required: ['from', 'to'],
  },
  prepare(input, { cwd, files, environment }) {
    const given = parseArguments('move', input);
    const from = environment.toAbsolutePath(cwd, given.word('from'));
    const to = environment.toAbsolutePath(cwd, given.word('to'));
    return {
      title: toTitle(`Move ${given.word('from')} to ${given.word('to')}`),
      locations: [{ path: from }, { path: to }],
      action: { kind: 'move' },
      preview: async () => {
        await files.resolve(environment.toAbsolutePath(from, '..'));
        await files.resolve(environment.toAbsolutePath(to, '..'));
        return {};
      },
      run: async () => {
        await files.move(from, to);
        const text = `Moved ${from} to ${to}`;
        return { text, content: [textContent(text)], rawOutput: { from, to } };
      },
    };
  },
};
