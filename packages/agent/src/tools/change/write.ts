import { parseArguments } from '../argument/arguments.ts';
import { pathSchema, toPathArgument } from '../argument/path-argument.ts';
import { toTitle } from '../argument/title.ts';
import { changeContent, diffContent, textContent } from '../content.ts';
import type { Tool } from '../tool.ts';
import { readPresentText } from './present-text.ts';
import { checkShown, rememberShown, type ShownFile } from './shown-file.ts';

/** `write`: creates a file, or replaces its content. */
export const writeTool: Tool = {
  name: 'write',
  kind: 'edit',
  description: "Writes a text file inside the session's directories; folders on the way are made.",
  inputSchema: {
    type: 'object',
    properties: { path: pathSchema, text: { type: 'string', description: 'The whole new content' } },
    required: ['path', 'text'],
  },
  prepare(input, workplace) {
    const { files, limits } = workplace;
    const given = parseArguments('write', input);
    const { path, shown } = toPathArgument(given.word('path'), workplace);
    const newText = given.text('text');
    let asked: ShownFile | undefined;
    return {
      title: toTitle(`Write ${shown}`),
      locations: [{ path }],
      action: { kind: 'edit' },
      preview: async () => {
        const present = await readPresentText(files, path, limits.fileBytes);
        asked = await rememberShown(files, path, present);
        if (present.kind === 'text') return { content: [diffContent(path, present.text, newText)] };
        const note = 'Replaces a file whose content is not text, or too long to display';
        return { content: [textContent(note), diffContent(path, null, newText)] };
      },
      run: async () => {
        const present =
          asked === undefined ? undefined : await readPresentText(files, path, limits.fileBytes);
        const options = present === undefined ? {} : checkShown(asked, path, present);
        const old = await files.writeText(path, newText, options);
        const isNew = old.oldText === null && old.oldTextOmitted === undefined;
        return {
          text: `Wrote ${String(newText.length)} characters to ${path}`,
          content: [changeContent(path, old, newText)],
          rawOutput: { path, isNew },
        };
      },
    };
  },
};
