import type { ToolCall } from '@parley/acp';
import { AgentError } from '../agent-error.ts';
import type { Environment } from '../environment.ts';
import type { Action } from '../permission/action.ts';
import { decide } from '../permission/decide.ts';
import { permissionOptions, toPermissionAnswer } from '../permission/permission-options.ts';
import type { PreparedCall } from '../tools/tool.ts';
import type { Turn } from './turn.ts';

/** Settles when the call may run; an `AgentError` `refused` says why it may not. */
export async function permit(
  { session, workplace, client }: Turn,
  toolCall: ToolCall,
  prepared: PreparedCall,
): Promise<void> {
  const { permissions, mode } = session;
  await checkFloor(prepared.action, workplace.environment);
  const decision = decide(mode, prepared.action, permissions.recall(prepared.action));
  if (decision.verdict === 'allow') return;
  if (decision.verdict === 'deny') throw new AgentError('refused', decision.reason);

  // A call that cannot succeed fails here, before anybody is asked about it.
  const preview = await prepared.preview?.();
  client.signal.throwIfAborted();
  const question = {
    ...toolCall,
    ...preview,
  };
  const outcome = await client.requestPermission(question, permissionOptions(decision.action));
  client.signal.throwIfAborted();
  switch (toPermissionAnswer(outcome)) {
    case 'allow_once':
      return;
    case 'allow_always':
      permissions.remember(decision.action, 'allow');
      return;
    case 'reject_once':
      throw new AgentError('refused', 'The user rejected this call');
    case 'reject_always':
      permissions.remember(decision.action, 'reject');
      throw new AgentError('refused', 'The user rejected this call, and such calls for the whole session');
    case 'no-answer':
      throw new AgentError('refused', 'The permission question got no valid answer');
  }
}

/** Below every mode, and every answer of the user, there are commands that never run. */
async function checkFloor(action: Action, environment: Environment): Promise<void> {
  if (action.kind !== 'execute') return;
  const reason = await environment.irreversibleReason(action.command);
  if (reason !== undefined) throw new AgentError('refused', `This command is never run: ${reason}`);
}
