import type { RequestPermissionRequest, RequestPermissionResponse } from '@parley/acp';
import type { SessionCall } from '../session/session-call.ts';
import { judge } from './judge.ts';
import { withRealPaths } from './real-paths.ts';
import { subjectOf } from './subject.ts';
import { toPermissionResponse } from './verdict.ts';

/** Serves `session/request_permission`, and remembers what was granted by it. */
export async function answerPermission(
  params: RequestPermissionRequest,
  { scope, host, signal }: SessionCall,
): Promise<RequestPermissionResponse> {
  const { options } = params;
  // What counts is what was known when the agent asked, not what it tells while somebody decides.
  const toolCall = scope.toolCalls.complete(params.toolCall);
  const { toolCallId } = toolCall;
  const named = subjectOf(toolCall, scope.files.cwd);
  // Nobody decides any more: what was asked is told at once, as it has been answered.
  const subject = signal.aborted ? named : await withRealPaths(named, scope.files);
  const verdict = await judge(
    {
      sessionId: scope.id,
      toolCall,
      subject,
      cwd: scope.files.cwd,
      options,
      describe: () => Promise.resolve({ ...params, toolCall }),
    },
    host,
    signal,
  );
  const { option, isGranted } = verdict;
  if (isGranted) scope.grants.add(toolCallId, subject, option?.kind === 'allow_always');
  return toPermissionResponse(verdict);
}
