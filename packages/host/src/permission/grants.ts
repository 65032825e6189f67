import { isHarmlessVariable, textMark, type FoundProgram, type SeenFile } from '@parley/workspace';
import { isSameCommand, toRuledCommand } from './request/command.ts';
import type { RequestedVariable } from './request/requested-action.ts';
import { hashOf } from './request/requested-content.ts';
import { namesOf, type SeenAction } from './request/to-requested-action.ts';

/** Remembered allowed actions of one session; the oldest are dropped first. */
const grantLimit = 1024;

/**
 * What the user granted to the agent in a session. A grant covers exactly the object that was shown: writing the same
 * text into the same file, as long as the file is unchanged; and the same command, once, with the same arguments,
 * folder, program and variables.
 */
export interface Grants {
  /** @param always Granted with an "always" option: it holds for the session, not only for this call. */
  add(toolCallId: string, granted: SeenAction, always: boolean): void;
  /** The call that covers writing this text into this file. */
  forWrite(file: SeenFile, text: string): string | undefined;
  /** The call that covers reading a file, by its real path. */
  forRead(path: string): string | undefined;
  /** Returns the id of the call whose grant covers this command, and uses up a grant that was given once. */
  takeCommand(command: SeenAction): string | undefined;
  /** The call has ended: what was granted for it alone is over. */
  endCall(toolCallId: string): void;
  /** The turn has ended: what was not granted for the session is over. */
  endTurn(): void;
}

interface Grant {
  readonly toolCallId: string;
  readonly granted: SeenAction;
  readonly always: boolean;
}

/** Creates an empty collection of grants. */
export function createGrants(): Grants {
  const grants = new Set<Grant>();

  function keep(condition: (grant: Grant) => boolean): void {
    for (const grant of grants) if (!condition(grant)) grants.delete(grant);
  }

  function find(covers: (granted: SeenAction) => boolean): Grant | undefined {
    for (const grant of grants) if (covers(grant.granted)) return grant;
    return undefined;
  }

  return {
    add(toolCallId, granted, always) {
      grants.add({ toolCallId, granted, always });
      if (grants.size <= grantLimit) return;
      const [oldest] = grants;
      if (oldest !== undefined) grants.delete(oldest);
    },
    forWrite: (file, text) => find((granted) => coversWrite(granted, file, text))?.toolCallId,
    forRead: (path) => find((granted) => coversRead(granted, path))?.toolCallId,
    takeCommand(command) {
      const grant = find((granted) => coversCommand(granted, command));
      if (grant?.always === false) grants.delete(grant);
      return grant?.toolCallId;
    },
    endCall(toolCallId) {
      keep((grant) => grant.always || grant.toolCallId !== toolCallId);
    },
    endTurn() {
      keep((grant) => grant.always);
    },
  };
}

/** Whether the text was shown for this file, and the file is unchanged or already contains the text. */
function coversWrite({ action, seen }: SeenAction, { path, mark }: SeenFile, text: string): boolean {
  if (action.kind === 'execute' || action.kind === 'delete' || action.kind === 'fetch') return false;
  const hash = hashOf(text);
  const isShown = action.files.some(
    (file) => file.effect === 'write' && file.content?.hash === hash && (file.realPath ?? file.path) === path,
  );
  if (!isShown) return false;
  const before = seen.get(path);
  return mark === textMark(text) || before?.mark === mark;
}

function coversRead({ action }: SeenAction, path: string): boolean {
  return action.files.some((file) => file.effect === 'read' && namesOf(file).includes(path));
}

function coversCommand(granted: SeenAction, asked: SeenAction): boolean {
  const [one, other] = [granted.action.command, asked.action.command];
  if (one === undefined || other === undefined) return false;
  const [left, right] = [
    toRuledCommand(one.command, granted.program),
    toRuledCommand(other.command, asked.program),
  ];
  if (!isSameCommand(left, right)) return false;
  // The same words do something else in another place, with another program, or with other variables.
  return (
    one.cwd === other.cwd &&
    granted.folderMark === asked.folderMark &&
    isSameProgram(granted, asked) &&
    isSameEnvironment(one.env, other.env)
  );
}

/** Whether both commands run the same program. A command line and an argument list can be the same command. */
function isSameProgram(granted: SeenAction, asked: SeenAction): boolean {
  const [one, other] = [programOf(granted), programOf(asked)];
  return one?.realPath === other?.realPath && one?.mark === other?.mark;
}

/** The program of a command. Which of the system's shells runs a command line makes no difference. */
function programOf({ action: { command }, named, program }: SeenAction): FoundProgram | undefined {
  if (named !== undefined || command === undefined) return named;
  return typeof toRuledCommand(command.command, program) === 'string' ? undefined : program;
}

/** Whether the relevant variables are equal. Agents need not announce variables that only switch off colours. */
function isSameEnvironment(one: readonly RequestedVariable[], other: readonly RequestedVariable[]): boolean {
  const [left, right] = [mattering(one), mattering(other)];
  return left.size === right.size && [...left].every(([name, value]) => right.get(name) === value);
}

function mattering(variables: readonly RequestedVariable[]): ReadonlyMap<string, string> {
  return new Map(
    variables.filter(({ name }) => !isHarmlessVariable(name)).map(({ name, value }) => [name, value]),
  );
}
