import { randomUUID } from 'node:crypto';
import type { PermissionOption, ToolCallUpdate } from '@parley/acp';
import { storedBefore } from '../event/event-store.ts';
import { notAllowed } from '../refusal.ts';
import type { SessionCall } from '../session/session-call.ts';
import type { SessionScope } from '../session/session-scope.ts';
import { isSameCommand } from './command.ts';
import { judge } from './judge.ts';
import { subjectOf, type Subject } from './subject.ts';

/** Something an agent does through the client without having been granted it. */
export interface UnaskedAct {
  readonly subject: Subject;
  /** What a refusal calls it. */
  readonly action: string;
  /** What a person is shown of it. */
  describe(): Promise<Omit<ToolCallUpdate, 'toolCallId'>>;
}

/**
 * Judges an act as if the agent had asked for it: not asking earns no more trust than asking.
 *
 * @returns the id of the tool call it belongs to
 * @throws {RpcError} It is not allowed.
 */
export async function judgeUnasked(act: UnaskedAct, { scope, host, signal }: SessionCall): Promise<string> {
  const { subject } = act;
  const toolCallId = openCallOf(subject, scope) ?? `client_${randomUUID()}`;
  const verdict = await judge(
    {
      sessionId: scope.id,
      toolCall: toToolCall(toolCallId, act),
      subject,
      cwd: scope.files.cwd,
      options: ownOptions,
      describe: async () => ({
        sessionId: scope.id,
        toolCall: { toolCallId, ...(await act.describe()) },
        options: [...ownOptions],
      }),
    },
    host,
    signal,
  );
  if (!verdict.isGranted) throw notAllowed(act.action, verdict.reason);
  await storedBefore(host.store, act.action);
  return toolCallId;
}

function toToolCall(toolCallId: string, { subject, action }: UnaskedAct): ToolCallUpdate {
  const { kind, command, paths } = subject;
  return {
    toolCallId,
    title: action,
    ...(kind !== undefined && { kind }),
    ...(command !== undefined && { rawInput: { command } }),
    ...(paths.length > 0 && { locations: paths.map((path) => ({ path })) }),
  };
}

/** The agent offered no options, as it did not ask. */
const ownOptions: readonly PermissionOption[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

/** The running tool call that names the same file or command, for a reader who wants to know what belongs together. */
function openCallOf(subject: Subject, scope: SessionScope): string | undefined {
  for (const call of scope.toolCalls.open()) {
    const { command, paths } = subjectOf(call, scope.files.cwd);
    if (subject.command === undefined) {
      if (subject.paths.some((path) => paths.includes(path))) return call.toolCallId;
    } else if (command !== undefined && isSameCommand(command, subject.command)) {
      return call.toolCallId;
    }
  }
  return undefined;
}
