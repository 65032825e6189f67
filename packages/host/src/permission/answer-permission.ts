import type { RequestPermissionRequest, RequestPermissionResponse } from '@parley/acp';
import type { SessionCall } from '../agent-session/session-call.ts';
import { toPermissionResponse } from './decision.ts';
import { judge } from './judge.ts';
import { toRequestedAction } from './request/to-requested-action.ts';

/** Serves `session/request_permission`, and remembers what was granted by it. */
export async function answerPermission(
  params: RequestPermissionRequest,
  { scope, host, signal }: SessionCall,
): Promise<RequestPermissionResponse> {
  const { options } = params;
  // What counts is what was known when the agent asked, not what it sends while the user decides.
  const toolCall = scope.toolCalls.complete(params.toolCall);
  const declared = params.toolCall.kind;
  const claimed = declared === undefined ? {} : { declaredKind: declared };
  const seen = await scope.inOrder(() => toRequestedAction(toolCall, scope, claimed));
  const decision = await judge(
    {
      sessionId: scope.id,
      toolCall,
      seen,
      cwd: scope.files.cwd,
      options,
      describe: () => Promise.resolve({ ...params, toolCall }),
    },
    host,
    signal,
  );
  const { option, isGranted } = decision;
  if (isGranted) scope.grants.add(toolCall.toolCallId, seen, option?.kind === 'allow_always');
  return toPermissionResponse(decision);
}
