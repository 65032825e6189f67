import { randomUUID } from 'node:crypto';
import { invalidParams, type CreateElicitationRequest, type CreateElicitationResponse } from '@parley/acp';
import { limitReached } from '../../agent-session/turn/turn-time.ts';
import type { Sender } from '../../event/sender.ts';
import type { HostContext } from '../../host-context.ts';
import type { ElicitationAnswer, InteractOptions } from '../../interact.ts';
import { aborted, untilAborted } from '../../until-aborted.ts';
import { shownAnswers } from './shown-answers.ts';

/**
 * Serves `elicitation/create`: asks the user, or answers `cancel` without one. Emits an event with the question, and
 * its answer without secrets.
 *
 * @param signal Aborted when the answer is no longer needed.
 */
export async function elicit(
  params: CreateElicitationRequest,
  host: HostContext,
  signal: AbortSignal,
): Promise<CreateElicitationResponse> {
  // ACP v1, Elicitation: a mode that is not known must not be shown as one that is.
  if (params.mode === 'unknown') throw invalidParams('mode', '"form" or "url"');
  const { message, mode } = params;
  const requestId = randomUUID();
  const question = {
    ...('sessionId' in params && { sessionId: params.sessionId }),
    requestId,
    message,
    mode,
  };
  const toolCallId = 'toolCallId' in params ? params.toolCallId : undefined;
  host.emit({ type: 'elicitation-request', ...question, ...(toolCallId !== undefined && { toolCallId }) });
  const { response, by, person, client } = await ask(params, host, {
    requestId,
    signal,
    ...(host.subagent !== undefined && { subagent: host.subagent }),
  });
  const chosen = shownAnswers(params, response);
  host.emit({
    type: 'elicitation',
    ...question,
    action: response.action,
    ...(chosen.length > 0 && { chosen }),
    by,
    ...(person !== undefined && { person }),
    ...(client !== undefined && { client }),
  });
  return response;
}

interface Answer extends Sender {
  readonly response: CreateElicitationResponse;
  readonly by: 'person' | 'nobody';
}

async function ask(
  params: CreateElicitationRequest,
  host: HostContext,
  options: InteractOptions,
): Promise<Answer> {
  const { signal } = options;
  if (signal.aborted) return dismissedBy(signal);
  if (host.interact.elicitation === undefined) return unattended;
  const answer = await untilAborted(askUser(params, host, options), signal);
  if (answer === aborted) return dismissedBy(signal);
  if (answer === 'nobody') return unattended;
  const { person, client, ...response } = answer;
  return {
    response,
    by: 'person',
    ...(person !== undefined && { person }),
    ...(client !== undefined && { client }),
  };
}

const unattended: Answer = { response: { action: 'cancel' }, by: 'nobody' };

function dismissedBy({ reason }: AbortSignal): Answer {
  return reason === limitReached ? unattended : { response: { action: 'cancel' }, by: 'person' };
}

async function askUser(
  params: CreateElicitationRequest,
  host: HostContext,
  options: InteractOptions,
): Promise<ElicitationAnswer> {
  const { signal } = options;
  try {
    return (await host.interact.elicitation?.(params, options)) ?? { action: 'cancel' };
  } catch (error) {
    // Asking the user failed: the agent still gets its answer.
    if (!signal.aborted) host.diagnose('error', 'handler-failed', `asking the user: ${String(error)}`);
    return { action: 'cancel' };
  }
}
