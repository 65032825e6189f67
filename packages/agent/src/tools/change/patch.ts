import type { StructuredPatch } from 'diff';
import { AgentError } from '../../agent-error.ts';
import type { OldText } from '../../files.ts';
import { parseArguments } from '../argument/arguments.ts';
import { toPathArgument } from '../argument/path-argument.ts';
import { toTitle } from '../argument/title.ts';
import { changeContent, diffContent } from '../content.ts';
import type { Tool, Workplace } from '../tool.ts';
import { readPresentText } from './present-text.ts';
import { checkShown, rememberShown, type ShownFile } from './shown-file.ts';

/** `patch`: a unified diff of one or more files. */
export const patchTool: Tool = {
  name: 'patch',
  kind: 'edit',
  description:
    "Applies a unified diff to files inside the session's directories: all of it or nothing. Paths are those behind " +
    '"+++", with or without "b/"; "--- /dev/null" makes a file. Line numbers may be off, and up to two of the context lines that are not next to a change.',
  inputSchema: {
    type: 'object',
    properties: { patch: { type: 'string', description: 'The unified diff' } },
    required: ['patch'],
  },
  prepare(input, workplace) {
    const patch = parseArguments('patch', input).word('patch');
    const { files } = workplace;
    let shown: ReadonlyMap<string, ShownFile> | undefined;
    return {
      title: toTitle('Apply a patch'),
      action: { kind: 'edit' },
      preview: async () => {
        const changes = await planChanges(patch, workplace);
        const remembered = new Map<string, ShownFile>();
        for (const { path, oldText } of changes) {
          remembered.set(path, await rememberShown(files, path, { kind: 'text', text: oldText }));
        }
        shown = remembered;
        return {
          content: changes.map(({ path, oldText, newText }) => diffContent(path, oldText, newText)),
          locations: changes.map(({ path }) => ({ path })),
        };
      },
      run: async () => {
        const changes = await planChanges(patch, workplace);
        // All of them before the first is written: all of it or nothing.
        const conditions = changes.map(({ path, oldText }) =>
          checkShown(shown?.get(path), path, { kind: 'text', text: oldText }),
        );
        const written: { readonly change: Change; readonly old: OldText }[] = [];
        for (const [index, change] of changes.entries()) {
          try {
            const old = await files.writeText(change.path, change.newText, conditions[index]);
            written.push({ change, old });
          } catch (error) {
            throw unfinished(
              error,
              written.map((done) => done.change.path),
            );
          }
        }
        const paths = changes.map(({ path }) => path);
        return {
          text: `Patched ${paths.join(', ')}`,
          content: written.map(({ change, old }) => changeContent(change.path, old, change.newText)),
          rawOutput: { paths },
          locations: paths.map((path) => ({ path })),
        };
      },
    };
  },
};

interface Change {
  readonly path: string;
  readonly oldText: string | null;
  readonly newText: string;
}

/** How many context lines of a hunk may differ from the file. */
const fuzzyLines = 2;

async function planChanges(patch: string, workplace: Workplace): Promise<readonly Change[]> {
  const { applyPatch, parsePatch } = await import('diff');
  const changes: Change[] = [];
  for (const part of parse(() => parsePatch(patch))) {
    const path = pathOf(part, workplace);
    if (changes.some((change) => change.path === path)) throw wrong(`${path} is in it twice`);
    const { files, limits } = workplace;
    const present = await readPresentText(files, path, limits.fileBytes);
    if (present.kind === 'unshowable') throw new AgentError('no-match', `${path} is not text, or too large`);
    const isNew = part.oldFileName === '/dev/null';
    if (isNew && present.text !== null) throw new AgentError('no-match', `${path} already exists`);
    if (!isNew && present.text === null) throw new AgentError('no-match', `${path} does not exist`);
    const newText = applyPatch(present.text ?? '', part, { fuzzFactor: fuzzyLines });
    if (newText === false) throw new AgentError('no-match', `The patch does not fit ${path}`);
    changes.push({ path, oldText: present.text, newText });
  }
  return changes;
}

function parse(read: () => readonly StructuredPatch[]): readonly StructuredPatch[] {
  let parts: readonly StructuredPatch[];
  try {
    parts = read().filter(({ hunks }) => hunks.length > 0);
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error), error);
  }
  if (parts.length === 0) throw wrong('it changes nothing');
  return parts;
}

function pathOf({ oldFileName, newFileName }: StructuredPatch, workplace: Workplace): string {
  if (newFileName === undefined || newFileName === '') throw wrong('a file has no name after "+++"');
  if (newFileName === '/dev/null') throw wrong('it removes a file; there is another tool for that');
  const newName = withoutPrefix(newFileName);
  const isNew = oldFileName === undefined || oldFileName === '/dev/null';
  if (!isNew && withoutPrefix(oldFileName) !== newName) {
    throw wrong('it moves a file; there is another tool for that');
  }
  return toPathArgument(newName, workplace).path;
}

function withoutPrefix(name: string): string {
  return name.replace(/^[ab]\//u, '');
}

function wrong(why: string, cause?: unknown): AgentError {
  return new AgentError('invalid-input', `patch: "patch" cannot be used: ${why}`, { cause });
}

function unfinished(error: unknown, written: readonly string[]): unknown {
  if (written.length === 0) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new AgentError('refused', `${message}. Written before that: ${written.join(', ')}`, {
    cause: error,
  });
}
