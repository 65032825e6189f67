import { isAbsolute, relative } from 'node:path';
import { openFiles } from '@parley/workspace';
import type { PermissionRequestEvent } from '../../event/question-event.ts';
import { placeholder } from '../../redaction/redaction.ts';
import { shownKinds } from './action-kind.ts';
import type { ResolvedProgram } from './command.ts';
import { subjectOf, type PermissionSubject } from './permission-subject.ts';
import type { RequestedAction, RequestedCommand } from './requested-action.ts';
import { listedPaths, namesOf, toRequestedAction } from './to-requested-action.ts';

/** A permission request of before, as it can be judged now. */
export interface RecordedRequest {
  readonly subject: PermissionSubject;
  readonly action: RequestedAction;
}

/** The session and folder of a recorded request. */
export interface RecordedPlace {
  /** The session's directory, by its real path. */
  readonly cwd: string;
  /** Further directories of the session. @default none */
  readonly directories?: readonly string[];
}

/**
 * Converts a request in an event log to the action that was decided. A request of an earlier version contains only
 * its call, which is parsed again if its folder still exists. Undefined if it cannot be evaluated any more: its
 * folder no longer exists, or rules would match a secret that was redacted.
 */
export async function readRecordedRequest(
  request: PermissionRequestEvent,
  place: RecordedPlace,
): Promise<RecordedRequest | undefined> {
  try {
    const recorded =
      request.action === undefined ? await lookAnew(request, place) : fromRecord(request, place);
    return hasGaps(recorded.subject) ? undefined : recorded;
  } catch {
    // No folder, no address, no action that this version knows: what it was is unknown.
    return undefined;
  }
}

async function lookAnew(
  { toolCall }: PermissionRequestEvent,
  place: RecordedPlace,
): Promise<RecordedRequest> {
  const seen = await toRequestedAction(toolCall, { files: await openFiles(place) });
  return { action: seen.action, subject: subjectOf(seen) };
}

function fromRecord({ toolCall, action }: PermissionRequestEvent, { cwd }: RecordedPlace): RecordedRequest {
  if (action === undefined) throw new Error('no action');
  const { kind, files, declaredKind, command } = action;
  const listed = new Set(listedPaths(toolCall, cwd));
  const paths = files.filter(({ path }) => listed.has(path)).flatMap(namesOf);
  const claimed = new Set([...shownKinds(toolCall), ...(toolCall.kind === undefined ? [] : [toolCall.kind])]);
  claimed.delete(kind);
  const program = command === undefined ? undefined : programOf(command, cwd);
  const subject = subjectOf({
    action,
    paths: [...new Set(paths)],
    otherKinds: [...claimed],
    ...(program !== undefined && { program }),
  });
  const otherKinds = declaredKind === undefined ? subject.otherKinds : [...claimed, declaredKind];
  return { action, subject: { ...subject, ...(otherKinds !== undefined && { otherKinds }) } };
}

function programOf({ command, program }: RequestedCommand, cwd: string): ResolvedProgram | undefined {
  if (program === undefined) return undefined;
  const name = typeof command === 'string' ? '' : (command[0] ?? '');
  const below = relative(cwd, program);
  const isInside = below !== '' && !below.startsWith('..') && !isAbsolute(below);
  return { found: program, realPath: program, isOfProject: !/[\\/]/u.test(name) && isInside };
}

/** Whether a value that rules match was redacted. */
function hasGaps({ command, directory, paths, host, tool }: PermissionSubject): boolean {
  return [command ?? [], directory ?? [], paths, host ?? [], tool ?? []]
    .flat()
    .some((text) => text.includes(placeholder));
}
