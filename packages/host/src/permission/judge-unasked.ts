import { randomUUID } from 'node:crypto';
import type { PermissionOption, ToolCallUpdate } from '@parley/acp';
import type { SessionCall } from '../agent-session/session-call.ts';
import type { SessionScope } from '../agent-session/session-scope.ts';
import { storedBefore } from '../event/event-store.ts';
import { notAllowed } from '../services/refusal.ts';
import { clientCallPrefix } from './client-call.ts';
import { judge } from './judge.ts';
import { commandOf, isSameCommand, toRuledCommand } from './request/command.ts';
import { listedPaths, namesOf, type SeenAction } from './request/to-requested-action.ts';

/** Something an agent does through the client without having been granted it. */
export interface UnaskedAct {
  readonly seen: SeenAction;
  /** What a refusal calls it. */
  readonly name: string;
  /** The displayed tool call, without its id. */
  readonly toolCall: Omit<ToolCallUpdate, 'toolCallId'>;
}

/**
 * Decides about an action for which the agent did not ask permission, as if it had asked.
 *
 * @returns the id of the tool call that the action belongs to
 * @throws {RpcError} The action is not allowed.
 */
export async function judgeUnasked(act: UnaskedAct, { scope, host, signal }: SessionCall): Promise<string> {
  const { seen } = act;
  const toolCallId = openCallOf(seen, scope) ?? `${clientCallPrefix}${randomUUID()}`;
  // The emitted event has its content in the action, and variables without their values.
  const { content: _shown, ...reported } = act.toolCall;
  const toolCall = { toolCallId, ...reported };
  const decision = await judge(
    {
      sessionId: scope.id,
      toolCall,
      seen,
      cwd: scope.files.cwd,
      options: ownOptions,
      describe: () =>
        Promise.resolve({
          sessionId: scope.id,
          toolCall: { toolCallId, ...act.toolCall },
          options: [...ownOptions],
        }),
    },
    host,
    signal,
  );
  if (!decision.isGranted) throw notAllowed(act.name, decision.reason);
  await storedBefore(host.store, act.name);
  return toolCallId;
}

/** The agent offered no options, as it did not ask. */
const ownOptions: readonly PermissionOption[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

/** The running tool call that names the same file or command, so that readers can relate both. */
function openCallOf({ action, program }: SeenAction, scope: SessionScope): string | undefined {
  const names = new Set(action.files.flatMap(namesOf));
  for (const call of scope.toolCalls.open()) {
    if (action.command === undefined) {
      if (listedPaths(call, scope.files.cwd).some((path) => names.has(path))) return call.toolCallId;
      continue;
    }
    const command = commandOf(call.rawInput);
    const asked = toRuledCommand(action.command.command, program);
    if (command !== undefined && isSameCommand(command, asked)) return call.toolCallId;
  }
  return undefined;
}
