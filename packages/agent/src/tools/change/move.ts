import type { SeenFile } from '../../files.ts';
import { parseArguments } from '../argument/arguments.ts';
import { pathSchema, toPathArgument } from '../argument/path-argument.ts';
import { toTitle } from '../argument/title.ts';
import { textContent } from '../content.ts';
import type { Tool } from '../tool.ts';

/** `move`: gives a file or folder another path. */
export const moveTool: Tool = {
  name: 'move',
  kind: 'move',
  description: "Moves a file or folder inside the session's directories; nothing is overwritten.",
  inputSchema: {
    type: 'object',
    properties: {
      from: pathSchema,
      to: { ...pathSchema, description: 'The new path; nothing may be there' },
    },
    required: ['from', 'to'],
  },
  prepare(input, workplace) {
    const { files, environment } = workplace;
    const given = parseArguments('move', input);
    const { path: from, shown: shownFrom } = toPathArgument(given.word('from'), workplace);
    const { path: to, shown: shownTo } = toPathArgument(given.word('to'), workplace);
    let seen: SeenFile | undefined;
    return {
      title: toTitle(`Move ${shownFrom} to ${shownTo}`),
      locations: [{ path: from }, { path: to }],
      action: { kind: 'move' },
      preview: async () => {
        await files.resolve(environment.toAbsolutePath(from, '..'));
        await files.resolve(environment.toAbsolutePath(to, '..'));
        seen = await files.seeEntry(from);
        return {};
      },
      run: async () => {
        await files.move(from, to, seen === undefined ? {} : { seen });
        const text = `Moved ${from} to ${to}`;
        return { text, content: [textContent(text)], rawOutput: { from, to } };
      },
    };
  },
};
