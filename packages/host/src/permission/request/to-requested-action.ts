import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import type { ToolCallContent, ToolCallUpdate, ToolKind } from '@parley/acp';
import {
  findProgram,
  lookAtCommandFiles,
  lookAtFile,
  splitCommand,
  type Command,
  type Files,
  type FoundProgram,
  type SeenFile,
} from '@parley/workspace';
import { claimedKind, shownKinds } from './action-kind.ts';
import { commandOf, toRuledCommand, variablesOf } from './command.ts';
import { addressesOf, possiblePaths } from './input-contents.ts';
import { folderFields, pathFields } from './input-fields.ts';
import { toNamedPath } from './named-path.ts';
import type {
  RequestedAction,
  RequestedCommand,
  RequestedFile,
  RequestedVariable,
} from './requested-action.ts';
import { requestedContents, type ShownDiff } from './requested-content.ts';

/** The action that a call requests, and the state of its files when they were read. */
export interface SeenAction {
  readonly action: RequestedAction;
  /** The files that the call lists, by each of their names. Files that only appear in its command are not included. */
  readonly paths: readonly string[];
  /** Kinds that the call claims or shows besides the one that counts. */
  readonly otherKinds: readonly ToolKind[];
  /** What is started for its command: a program, or the shell of a line. */
  readonly program?: FoundProgram;
  /** The program that a line names, where it is nothing but that program with its words. */
  readonly named?: FoundProgram;
  /** Identifies the folder in which the command starts; absent if there is none or it is outside the session. */
  readonly folderMark?: string;
  /** The files that would be written, by real path. */
  readonly seen: ReadonlyMap<string, SeenFile>;
}

/** Where a call would act. */
export interface ActionPlace {
  readonly files: Pick<Files, 'cwd' | 'directories' | 'resolve' | 'readText' | 'see' | 'hold'>;
  /** The folders in which programs are found. @default `PATH` of this process */
  readonly searchPath?: string;
}

/** File access for a call whose folders are on another machine: it is judged by names only. */
export function filesElsewhere({
  cwd,
  directories,
}: Pick<Files, 'cwd' | 'directories'>): ActionPlace['files'] {
  const absent = (): Promise<never> =>
    Promise.reject(new Error('the folder of the session does not exist on this machine'));
  return { cwd, directories, resolve: absent, readText: absent, see: absent, hold: absent };
}

/** A command that the client itself runs: all its parts are known. */
export interface KnownCommand {
  readonly command: Command;
  readonly cwd: string;
  readonly env: readonly RequestedVariable[];
}

/**
 * Reads the requested action from a tool call's kind, input, locations and diffs, and checks the files, folder and
 * program that it names.
 *
 * @param declaredKind The kind in the permission request, which may be less harmful than the announced one.
 */
export async function toRequestedAction(
  call: ToolCallUpdate,
  place: ActionPlace,
  {
    declaredKind = call.kind,
    known,
  }: { readonly declaredKind?: ToolKind; readonly known?: KnownCommand } = {},
): Promise<SeenAction> {
  const kind = claimedKind(call) ?? 'other';
  const seen = new Map<string, SeenFile>();
  const stated = known ?? commandIn(call.rawInput, place.files.cwd);
  const started = stated === undefined ? undefined : await lookAtCommand(stated, place);
  const listed = await filesOf(call, kind, place, seen);
  const files = [
    ...listed,
    ...(stated === undefined ? [] : await lookAtCommandFiles(stated.command, stated.cwd, place.files)),
  ];
  const address = addressIn(call.rawInput);
  const texts = textsIn(call.content ?? []);
  const { name, title, rawInput } = call;
  const action: RequestedAction = {
    kind,
    ...(declaredKind !== undefined && declaredKind !== kind && { declaredKind }),
    ...(name !== undefined && { tool: name }),
    ...(title !== undefined && { title }),
    ...(started !== undefined && { command: started.command }),
    files,
    ...(address !== undefined && { address }),
    ...(rawInput !== undefined && { input: rawInput }),
    texts,
    ...(!isSpecific(call) && { isOpaque: true }),
  };
  const claimed = new Set<ToolKind>([...shownKinds(call), ...(call.kind === undefined ? [] : [call.kind])]);
  if (declaredKind !== undefined) claimed.add(declaredKind);
  claimed.delete(kind);
  return {
    action,
    paths: [...new Set(listed.flatMap(namesOf))],
    otherKinds: [...claimed],
    ...(started?.program !== undefined && { program: started.program }),
    ...(started?.named !== undefined && { named: started.named }),
    ...(started?.folderMark !== undefined && { folderMark: started.folderMark }),
    seen,
  };
}

/** The names of a file: as given, and resolved. */
export function namesOf({ path, realPath }: RequestedFile): readonly string[] {
  return realPath === undefined ? [path] : [path, realPath];
}

/** The files that a call lists, as it names them: in its diffs, its locations, its input. */
export function listedPaths(
  { content = [], locations = [], rawInput }: ToolCallUpdate,
  cwd: string,
): readonly string[] {
  const diffs = content.flatMap((item) => (item.type === 'diff' ? [item.path] : []));
  const named = [...diffs, ...locations.map(({ path }) => path), ...pathsIn(rawInput)];
  return [...new Set(named.map((path) => toNamedPath(cwd, path)))];
}

/** Size of a file that is compared with a diff: 32 MiB. */
const readLimitBytes = 32 * 1024 * 1024;

/**
 * Whether anything shows what the call would do. A kind alone is enough if it only leaves open which file is
 * affected.
 */
function isSpecific({ kind, name, title, rawInput, content, locations }: ToolCallUpdate): boolean {
  if (kind !== undefined && specificKinds.has(kind)) return true;
  if ((locations ?? []).length > 0) return true;
  if ((content ?? []).some((item) => isSpecificContent(item, title))) return true;
  // A tool that is named may need no input.
  return name === undefined ? !isEmpty(rawInput) : rawInput !== undefined && rawInput !== null;
}

const specificKinds: ReadonlySet<ToolKind> = new Set<ToolKind>([
  'read',
  'search',
  'think',
  'edit',
  'delete',
  'move',
]);

function isSpecificContent(item: ToolCallContent, title: string | undefined): boolean {
  if (item.type !== 'content' || item.content.type !== 'text') return true;
  const text = item.content.text.trim();
  return text !== '' && text !== title?.trim();
}

function isEmpty(input: unknown): boolean {
  if (input === undefined || input === null || input === '') return true;
  return typeof input === 'object' && Object.keys(input).length === 0;
}

function textsIn(content: readonly ToolCallContent[]): readonly string[] {
  return content.flatMap((item) =>
    item.type === 'content' && item.content.type === 'text' ? [item.content.text] : [],
  );
}

/** The command in a tool's input, and where it is to start. */
function commandIn(input: unknown, cwd: string): KnownCommand | undefined {
  const command = commandOf(input);
  if (command === undefined) return undefined;
  const fields = fieldsOf(input);
  const folder = folderFields.map((name) => fields.get(name)).find((value) => typeof value === 'string');
  return { command, cwd: folder === undefined ? cwd : resolve(cwd, folder), env: variablesOf(input) };
}

/** The URL in a tool's input; undefined if it has several, because all of them would have to be judged. */
function addressIn(input: unknown): string | undefined {
  const [first, ...others] = new Set(addressesOf(input));
  if (others.length > 0) return undefined;
  if (first !== undefined && URL.canParse(first)) return first;
  const url = fieldsOf(input).get('url');
  return typeof url === 'string' && URL.canParse(url) ? url : undefined;
}

function fieldsOf(input: unknown): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(typeof input === 'object' && input !== null ? Object.entries(input) : []);
}

interface SeenCommand {
  readonly command: RequestedCommand;
  readonly program?: FoundProgram;
  readonly named?: FoundProgram;
  readonly folderMark?: string;
}

async function lookAtCommand({ command, cwd, env }: KnownCommand, place: ActionPlace): Promise<SeenCommand> {
  const { files } = place;
  await using folder = await files.hold(cwd).catch(() => undefined);
  // It may be inside and missing: then starting the command says so.
  const real = folder?.path ?? (await files.resolve(cwd).catch(() => undefined));
  const folderPath = real ?? (await realpath(cwd).catch(() => cwd));
  const program = await programOf(command, { cwd: folderPath, env, place });
  const line = toRuledCommand(command, program);
  const words = typeof line === 'string' ? wordsOf(line) : undefined;
  const named = words === undefined ? undefined : await programOf(words, { cwd: folderPath, env, place });
  return {
    command: {
      command,
      ...(program !== undefined && { program: program.realPath }),
      cwd: folderPath,
      ...(real === undefined && { isOutside: true }),
      env,
    },
    ...(program !== undefined && { program }),
    ...(named !== undefined && { named }),
    ...(folder !== undefined && { folderMark: folder.mark }),
  };
}

/** The words of a line that is one program with its words, and nothing for a shell to do but split it. */
function wordsOf(line: string): readonly string[] | undefined {
  const [part, ...others] = splitCommand(line) ?? [];
  if (part === undefined || others.length > 0) return undefined;
  const { words, assignments, writes, reads } = part;
  if (assignments.length + writes.length + reads.length > 0) return undefined;
  return words.every(({ isLiteral }) => isLiteral) ? words.map(({ text }) => text) : undefined;
}

/** The program of a command's first word, or the shell of a line. */
export async function programOf(
  command: Command,
  { cwd, env, place }: Pick<KnownCommand, 'cwd' | 'env'> & { readonly place: ActionPlace },
): Promise<FoundProgram | undefined> {
  const [name] = typeof command === 'string' ? [systemShell] : command;
  if (name === undefined) return undefined;
  const given = env.findLast((variable) => variable.name === 'PATH')?.value;
  const searchPath = given ?? place.searchPath ?? process.env['PATH'] ?? '';
  return findProgram(name, { cwd, searchPath, projects: place.files.directories });
}

/** The shell that runs a command line. On systems without it, the default of Node.js is used. */
const systemShell = '/bin/sh';

/** The files of a call: from its diffs, then its locations, then its input. */
async function filesOf(
  call: ToolCallUpdate,
  kind: ToolKind,
  place: ActionPlace,
  seen: Map<string, SeenFile>,
): Promise<readonly RequestedFile[]> {
  const { cwd } = place.files;
  const diffs = new Map<string, ShownDiff[]>();
  for (const item of call.content ?? []) {
    if (item.type !== 'diff') continue;
    const path = toNamedPath(cwd, item.path);
    const { newText, oldText } = item;
    diffs.set(path, [...(diffs.get(path) ?? []), { newText, ...(oldText !== undefined && { oldText }) }]);
  }
  const named = listedPaths(call, cwd).filter((path) => !diffs.has(path));
  const isEach = isReplacingEach(call.rawInput);
  const files: RequestedFile[] = [];
  for (const [path, shown] of diffs) {
    const file = await lookAtFile(path, kind === 'delete' ? 'delete' : 'write', place.files);
    const present = await textOf(file.realPath ?? path, place);
    const before = file.isOutside === true ? undefined : await place.files.see(path).catch(() => undefined);
    if (before !== undefined) seen.set(before.path, before);
    for (const content of requestedContents(shown, present, isEach)) files.push({ ...file, content });
  }
  for (const path of named) files.push(await lookAtFile(path, effectOf(kind), place.files));
  if (!judgedByFiles.has(kind)) return files;
  const known = new Set(files.map(({ path }) => path));
  for (const path of new Set(possiblePaths(call.rawInput).map((name) => toNamedPath(cwd, name)))) {
    if (known.has(path)) continue;
    const file = await lookAtFile(path, effectOf(kind), place.files);
    if (await isMeant(file, place)) files.push(file);
  }
  return files;
}

/** The kinds that levels allow depending on the files: their names are in input fields that only the agent knows. */
const judgedByFiles: ReadonlySet<ToolKind> = new Set<ToolKind>([
  'read',
  'search',
  'think',
  'edit',
  'delete',
  'move',
]);

/**
 * Whether a text that may be a file name is treated as one: the file exists, or treating it so changes the decision.
 */
async function isMeant({ path, protection }: RequestedFile, { files }: ActionPlace): Promise<boolean> {
  if (protection !== undefined || !files.directories.some((folder) => isWithin(folder, path))) return true;
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && !/^\.\.(?:[\\/]|$)/u.test(way);
}

function effectOf(kind: ToolKind): RequestedFile['effect'] {
  switch (kind) {
    case 'read':
    case 'search':
    case 'think':
      return 'read';
    case 'edit':
      return 'write';
    case 'delete':
      return 'delete';
    case 'move':
      return 'move';
    case 'fetch':
    case 'switch_mode':
    case 'other':
    case 'execute':
      return 'named';
  }
}

async function textOf(path: string, { files }: ActionPlace): Promise<string | undefined> {
  try {
    return (await files.readText(path, { maxBytes: readLimitBytes })).text;
  } catch {
    // A new file, or none that can be shown as text: there is nothing to compare with.
    return undefined;
  }
}

function isReplacingEach(input: unknown): boolean {
  const fields = fieldsOf(input);
  return fields.get('replace_all') === true || fields.get('replaceAll') === true;
}

function* pathsIn(input: unknown): Generator<string> {
  const hasCommand = commandOf(input) !== undefined;
  for (const [name, value] of fieldsOf(input)) {
    if (!pathFields.includes(name) || (hasCommand && folderFields.includes(name))) continue;
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each === 'string' && each !== '') yield each;
    }
  }
}
