import type { ListingEntry } from '../files.ts';
import { parseArguments } from './argument/arguments.ts';
import { pathSchema, toPathArgument } from './argument/path-argument.ts';
import { toTitle } from './argument/title.ts';
import { codeContent, textContent } from './content.ts';
import type { Tool } from './tool.ts';

/** `list`: the names in a directory. */
export const listTool: Tool = {
  name: 'list',
  kind: 'read',
  description: "Lists a directory inside the session's directories. Directories end in a slash.",
  inputSchema: { type: 'object', properties: { path: pathSchema }, required: ['path'] },
  prepare(input, workplace) {
    const { files, limits } = workplace;
    const given = parseArguments('list', input);
    const { path, shown } = toPathArgument(given.word('path'), workplace);
    return {
      title: toTitle(`List ${shown}`),
      locations: [{ path }],
      action: { kind: 'read' },
      run: async () => {
        const { entries, hasMore, withheld = 0 } = await files.list(path, { limit: limits.listEntries });
        const rawOutput = { path, entries: entries.length, hasMore };
        const note = [
          ...(hasMore ? [`[More than ${String(limits.listEntries)} entries; the rest is left out]`] : []),
          ...(withheld > 0 ? [`[${String(withheld)} entries are left out: rules protect them]`] : []),
        ];
        if (entries.length === 0) {
          const text = withheld === 0 ? 'The directory is empty' : note.join('\n');
          return { text, content: [textContent(text)], rawOutput };
        }
        const text = [...entries.map(toLine), ...note].join('\n');
        return { text, content: [codeContent(text)], rawOutput };
      },
    };
  },
};

function toLine({ name, kind, bytes }: ListingEntry): string {
  switch (kind) {
    case 'directory':
      return `${name}/`;
    case 'file':
      return bytes === undefined ? name : `${name} (${String(bytes)} bytes)`;
    case 'link':
      return `${name} (link)`;
    case 'other':
      return `${name} (special file)`;
  }
}
