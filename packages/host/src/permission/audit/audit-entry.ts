import type { PermissionEvent } from '../../event/question-event.ts';
import type { OwnedRule } from '../reason.ts';
import type { RequestedAction, RequestedFile } from '../request/requested-action.ts';

/** A decision about a permission request: what was allowed or rejected, by which client and token, and why. */
export interface AuditEntry {
  /** ISO 8601. */
  readonly time: string;
  readonly agent: string;
  /** The session, as it is called here. */
  readonly session: string;
  /** The session, as the agent calls it, where that is another name. */
  readonly agentSession?: string;
  readonly cwd?: string;
  readonly requestId?: string;
  readonly toolCallId?: string;
  readonly decision: 'allow' | 'reject' | 'cancelled';
  /** The kind of the option that was chosen. */
  readonly option?: string;
  /** The field `by` of the `permission` event. */
  readonly by: string;
  readonly reason: string;
  /** The rules that decided. */
  readonly rules?: readonly OwnedRule[];
  /** An answer of before decided. */
  readonly remembered?: true;
  /** The client that answered, by its name; else where it was decided: `terminal`, `hub`, `aap`. */
  readonly client: string;
  /** The token of the client that answered. */
  readonly token?: string;
  /** The requested action, without contents and without values of variables. */
  readonly action?: AuditedAction;
}

/** The requested action, as far as the audit log records it. */
export interface AuditedAction {
  readonly kind: string;
  readonly declaredKind?: string;
  readonly tool?: string;
  readonly command?: AuditedCommand;
  readonly files: readonly AuditedFile[];
  /** How many further files are not listed. */
  readonly filesLeftOut?: number;
  readonly address?: string;
  readonly blockedHost?: string;
  readonly isOpaque?: true;
}

/** A command, without the values of its variables. */
export interface AuditedCommand {
  /** Words or a line; cut where they are longer than 64 Ki characters. */
  readonly argv: string | readonly string[];
  readonly program?: string;
  readonly cwd: string;
  /** The names of variables that are set for it. */
  readonly variables: readonly string[];
}

/** A file, with the hash of the content to be written. */
export interface AuditedFile extends Pick<RequestedFile, 'path' | 'realPath' | 'effect' | 'protection'> {
  /** SHA-256 of the whole text. */
  readonly hash?: string;
}

/** What is recorded of an action. */
export function toAuditedAction(action: RequestedAction): AuditedAction {
  const { kind, declaredKind, tool, command, files, address, blockedHost, isOpaque } = action;
  const leftOut = Math.max(0, files.length - mostFiles);
  return {
    kind,
    ...(declaredKind !== undefined && { declaredKind }),
    ...(tool !== undefined && { tool: cut(tool) }),
    ...(command !== undefined && {
      command: {
        argv: cutCommand(command.command),
        ...(command.program !== undefined && { program: cut(command.program) }),
        cwd: cut(command.cwd),
        variables: command.env.slice(0, mostVariables).map(({ name }) => cut(name)),
      },
    }),
    files: files.slice(0, mostFiles).map(({ path, realPath, effect, protection, content }) => ({
      path: cut(path),
      ...(realPath !== undefined && { realPath: cut(realPath) }),
      effect,
      ...(protection !== undefined && { protection }),
      ...(content !== undefined && { hash: content.hash }),
    })),
    ...(leftOut > 0 && { filesLeftOut: leftOut }),
    ...(address !== undefined && { address: cut(address) }),
    ...(blockedHost !== undefined && { blockedHost: cut(blockedHost) }),
    ...(isOpaque === true && { isOpaque }),
  };
}

/** The outcome of a request, by the option that was chosen. */
export function outcomeOf({ decision, options }: PermissionEvent): Pick<AuditEntry, 'decision' | 'option'> {
  const option = options.find(({ optionId }) => optionId === decision);
  if (option === undefined) return { decision: 'cancelled' };
  const isAllowed = option.kind === 'allow_once' || option.kind === 'allow_always';
  return { decision: isAllowed ? 'allow' : 'reject', option: option.kind };
}

/** Characters of one field. */
const mostCharacters = 2048;
/** Characters of a command. */
const mostCommandCharacters = 64 * 1024;
/** Files of one entry. */
const mostFiles = 100;
/** Variables of one entry. */
const mostVariables = 100;

/** A text that is no longer than a field may be. */
export function cut(text: string, most: number = mostCharacters): string {
  return text.length > most ? `${text.slice(0, most)}… (${String(text.length)} characters)` : text;
}

function cutCommand(command: string | readonly string[]): string | readonly string[] {
  if (typeof command === 'string') return cut(command, mostCommandCharacters);
  const text = JSON.stringify(command);
  return text.length > mostCommandCharacters ? cut(text, mostCommandCharacters) : command;
}
