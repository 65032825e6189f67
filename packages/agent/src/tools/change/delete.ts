import type { Files, SeenFile } from '../../files.ts';
import { parseArguments } from '../argument/arguments.ts';
import { pathSchema, toPathArgument } from '../argument/path-argument.ts';
import { toTitle } from '../argument/title.ts';
import { diffContent, textContent } from '../content.ts';
import type { Tool } from '../tool.ts';

/** `delete`: removes a file or an empty folder. */
export const deleteTool: Tool = {
  name: 'delete',
  kind: 'delete',
  description: "Deletes a file or an empty folder inside the session's directories.",
  inputSchema: { type: 'object', properties: { path: pathSchema }, required: ['path'] },
  prepare(input, workplace) {
    const { files, environment, limits } = workplace;
    const given = parseArguments('delete', input);
    const { path, shown } = toPathArgument(given.word('path'), workplace);
    let seen: SeenFile | undefined;
    return {
      title: toTitle(`Delete ${shown}`),
      locations: [{ path }],
      action: { kind: 'delete' },
      preview: async () => {
        // The place of the name counts, not what it links to.
        await files.resolve(environment.toAbsolutePath(path, '..'));
        seen = await files.seeEntry(path);
        const text = await readTextIfShowable(files, path, limits.fileBytes);
        return text === undefined ? {} : { content: [diffContent(path, text, '')] };
      },
      run: async () => {
        const { oldText } = await files.remove(path, seen === undefined ? {} : { seen });
        return {
          text: `Deleted ${path}`,
          content: [oldText === null ? textContent(`Deleted ${path}`) : diffContent(path, oldText, '')],
          rawOutput: { path },
        };
      },
    };
  },
};

async function readTextIfShowable(files: Files, path: string, maxBytes: number): Promise<string | undefined> {
  try {
    // Removed is what is on the disk.
    const { text } = await files.readText(path, { maxBytes, fromDisk: true });
    return text;
  } catch {
    // A folder, a link, no text, or not there: nothing to show, and removing it says what is wrong.
    return undefined;
  }
}
