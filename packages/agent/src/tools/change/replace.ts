import { AgentError } from '../../agent-error.ts';
import { parseArguments } from '../argument/arguments.ts';
import { pathSchema, toPathArgument } from '../argument/path-argument.ts';
import { toTitle } from '../argument/title.ts';
import { changeContent, diffContent } from '../content.ts';
import type { Tool } from '../tool.ts';
import { replaceOnce } from './replace-text.ts';
import type { Replacement } from './replace-text.ts';
import { checkShown, rememberShown, type ShownFile } from './shown-file.ts';

/** `replace`: changes the one place in a file where a text stands. */
export const replaceTool: Tool = {
  name: 'replace',
  kind: 'edit',
  description:
    "Replaces a text in a file inside the session's directories. The old text must occur exactly once; " +
    'white space may differ where whole lines are replaced.',
  inputSchema: {
    type: 'object',
    properties: {
      path: pathSchema,
      oldText: {
        type: 'string',
        description: 'Exactly as in the file, with enough context to be unique',
      },
      newText: { type: 'string', description: 'What takes its place; may be empty' },
    },
    required: ['path', 'oldText', 'newText'],
  },
  prepare(input, workplace) {
    const { files, limits } = workplace;
    const given = parseArguments('replace', input);
    const { path, shown } = toPathArgument(given.word('path'), workplace);
    const oldPart = given.text('oldText');
    const newPart = given.text('newText');
    if (oldPart === '') throw new AgentError('invalid-input', 'replace: "oldText" must not be empty');
    if (oldPart === newPart) {
      throw new AgentError('invalid-input', 'replace: "oldText" and "newText" are the same');
    }

    const change = async (): Promise<Replacement & { readonly oldText: string }> => {
      const { text } = await files.readText(path, { maxBytes: limits.fileBytes });
      return { oldText: text, ...replaceOnce(text, oldPart, newPart) };
    };
    let asked: ShownFile | undefined;
    return {
      title: toTitle(`Edit ${shown}`),
      locations: [{ path }],
      action: { kind: 'edit' },
      preview: async () => {
        const { oldText, newText, line } = await change();
        asked = await rememberShown(files, path, { kind: 'text', text: oldText });
        return { content: [diffContent(path, oldText, newText)], locations: [{ path, line }] };
      },
      run: async () => {
        const { oldText, newText, line, tolerated } = await change();
        const old = await files.writeText(
          path,
          newText,
          checkShown(asked, path, { kind: 'text', text: oldText }),
        );
        return {
          text: `Replaced the text in line ${String(line)} of ${path}${tolerated === undefined ? '' : ` (${tolerated} differed)`}`,
          content: [changeContent(path, old, newText)],
          rawOutput: { path, line },
          locations: [{ path, line }],
        };
      },
    };
  },
};
