import type { RequestPermissionRequest, RequestPermissionResponse } from '@parley/acp';
import type { SessionCall } from '../session/session-call.ts';
import type { SessionScope } from '../session/session-scope.ts';
import { judge } from './judge.ts';
import { subjectOf, type Subject } from './subject.ts';

/** Where an agent finds, in the `_meta` of an outcome, why the person rejected what it asked for. */
const reasonMeta = 'parley/reason';

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
  const subject = signal.aborted ? named : await withRealPaths(named, scope);
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
  const { option, isGranted, words } = verdict;
  if (option === undefined) return { outcome: { outcome: 'cancelled' } };
  if (isGranted) scope.grants.add(toolCallId, subject, option.kind === 'allow_always');
  return {
    outcome: {
      outcome: 'selected',
      optionId: option.optionId,
      ...(words !== undefined && { _meta: { [reasonMeta]: words } }),
    },
  };
}

/** Adds where links lead, as rules and later writes may speak of either name. */
async function withRealPaths(subject: Subject, scope: SessionScope): Promise<Subject> {
  const real = await Promise.all(subject.paths.map((path) => realPath(path, scope)));
  return { ...subject, paths: [...new Set([...subject.paths, ...real])] };
}

async function realPath(path: string, scope: SessionScope): Promise<string> {
  try {
    return await scope.files.resolve(path);
  } catch {
    // Outside of the session's directories: the call is judged by the name it gives, and the client grants it no write.
    return path;
  }
}
