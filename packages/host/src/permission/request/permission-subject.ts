import type { ToolKind } from '@parley/acp';
import type { Protection, Subject } from '@parley/workspace';
import { toRuledCommand, type ResolvedProgram } from './command.ts';
import { namesOf, type SeenAction } from './to-requested-action.ts';

/** What a tool call would do, as rules and levels see it. */
export interface PermissionSubject extends Subject {
  readonly kind?: ToolKind;
  /** The call shows only a title. */
  readonly isOpaque?: true;
  /** The host, with its port, if the sandbox does not allow it. */
  readonly blockedHost?: string;
  /** The first file that is protected, for a reader. */
  readonly protectedFile?: { readonly path: string; readonly protection: Protection };
}

/** What of a requested action is judged. */
export interface JudgedAction extends Pick<SeenAction, 'action' | 'paths' | 'otherKinds'> {
  readonly program?: ResolvedProgram;
}

/** The properties of a requested action that rules and levels can read. */
export function subjectOf({ action, paths, otherKinds, program }: JudgedAction): PermissionSubject {
  const { kind, tool, command, files, address, isOpaque, blockedHost } = action;
  const outside = files.filter(({ isOutside }) => isOutside === true).flatMap(namesOf);
  const protectedFiles = files.filter(({ protection }) => protection !== undefined);
  const [first] = protectedFiles;
  const names = command?.env.map(({ name }) => name) ?? [];
  const host = blockedHost ?? (kind === 'fetch' && address !== undefined ? new URL(address).host : undefined);
  return {
    kind,
    ...(otherKinds.length > 0 && { otherKinds }),
    ...(tool !== undefined && { tool }),
    ...(command !== undefined && {
      command: toRuledCommand(command.command, program),
      directory: command.cwd,
    }),
    ...(names.length > 0 && { variables: names }),
    ...(host !== undefined && { host }),
    // Those that stand in a command are found there by the rules themselves.
    paths,
    ...((outside.length > 0 || command?.isOutside === true) && {
      outside: [...new Set([...outside, ...(command?.isOutside === true ? [command.cwd] : [])])],
    }),
    ...(protectedFiles.length > 0 && { protected: [...new Set(protectedFiles.flatMap(namesOf))] }),
    ...(first?.protection !== undefined && {
      protectedFile: { path: first.path, protection: first.protection },
    }),
    ...(isOpaque === true && { isOpaque }),
    ...(blockedHost !== undefined && { blockedHost }),
  };
}
