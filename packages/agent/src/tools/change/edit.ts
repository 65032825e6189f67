import { AgentError } from '../../agent-error.ts';
import { parseArguments } from '../argument/arguments.ts';
import { pathSchema, toPathArgument } from '../argument/path-argument.ts';
import { toTitle } from '../argument/title.ts';
import { changeContent, diffContent } from '../content.ts';
import type { Tool } from '../tool.ts';
import { replaceOnce } from './replace-text.ts';
import { checkShown, rememberShown, type ShownFile } from './shown-file.ts';

/** `edit`: changes several parts of a file, all or none. */
export const editTool: Tool = {
  name: 'edit',
  kind: 'edit',
  description:
    "Makes several replacements in a file inside the session's directories, one after another: all of them or none. " +
    'Each old text must occur exactly once when its edit is applied; white space may differ if whole lines are replaced.',
  inputSchema: {
    type: 'object',
    properties: {
      path: pathSchema,
      edits: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            oldText: {
              type: 'string',
              description: 'Exactly as in the file, with enough context to be unique',
            },
            newText: { type: 'string', description: 'What takes its place; may be empty' },
          },
          required: ['oldText', 'newText'],
        },
      },
    },
    required: ['path', 'edits'],
  },
  prepare(input, workplace) {
    const { files, limits } = workplace;
    const given = parseArguments('edit', input);
    const { path, shown } = toPathArgument(given.word('path'), workplace);
    const edits = given.list('edits').map(parseEdit);
    if (edits.length === 0) throw new AgentError('invalid-input', 'edit: "edits" must not be empty');

    const change = async (): Promise<EditedText> => {
      const { text } = await files.readText(path, { maxBytes: limits.fileBytes });
      return { oldText: text, ...applyEdits(text, edits) };
    };
    let asked: ShownFile | undefined;
    return {
      title: toTitle(`Edit ${shown}`),
      locations: [{ path }],
      action: { kind: 'edit' },
      preview: async () => {
        const { oldText, newText, lines } = await change();
        asked = await rememberShown(files, path, { kind: 'text', text: oldText });
        return {
          content: [diffContent(path, oldText, newText)],
          locations: lines.map((line) => ({ path, line })),
        };
      },
      run: async () => {
        const { oldText, newText, lines } = await change();
        const old = await files.writeText(
          path,
          newText,
          checkShown(asked, path, { kind: 'text', text: oldText }),
        );
        return {
          text: `Made ${String(edits.length)} replacements in ${path}, in lines ${lines.join(', ')}`,
          content: [changeContent(path, old, newText)],
          rawOutput: { path, lines },
          locations: lines.map((line) => ({ path, line })),
        };
      },
    };
  },
};

interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

interface EditedText {
  readonly oldText: string;
  readonly newText: string;
  readonly lines: readonly number[];
}

function parseEdit(value: unknown, index: number): Edit {
  const given = parseArguments(`edit: edits[${String(index)}]`, value);
  const edit = { oldText: given.text('oldText'), newText: given.text('newText') };
  if (edit.oldText === '') {
    throw new AgentError('invalid-input', `edit: "oldText" of edits[${String(index)}] must not be empty`);
  }
  return edit;
}

/** The text after all edits, with the line of each; errors name the edit. */
function applyEdits(text: string, edits: readonly Edit[]): Omit<EditedText, 'oldText'> {
  let newText = text;
  const lines = edits.map(({ oldText, newText: part }, index) => {
    try {
      const replaced = replaceOnce(newText, oldText, part);
      newText = replaced.newText;
      return replaced.line;
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      throw new AgentError(error.code, `edits[${String(index)}]: ${error.message}`, { cause: error });
    }
  });
  return { newText, lines };
}
