import {
  clientRequests,
  Invalid,
  parseSessionUpdate,
  type CreateElicitationRequest,
  type PermissionOption,
  type RequestPermissionRequest,
  type ToolCallUpdate,
} from '@parley/acp';
import type { Redaction } from './redaction.ts';

/** The call without secrets. */
export function redactCall(call: ToolCallUpdate, redaction: Redaction): ToolCallUpdate {
  if (!redaction.isNeeded) return call;
  const value = redaction.value({ ...call, sessionUpdate: 'tool_call_update' });
  const view = parseSessionUpdate(value);
  return !(view instanceof Invalid) && view.sessionUpdate === 'tool_call_update'
    ? view
    : { toolCallId: call.toolCallId };
}

/** The options without secrets. Their ids stay: the agent knows its options by them. */
export function redactOptions(
  options: readonly PermissionOption[],
  redaction: Redaction,
): readonly PermissionOption[] {
  if (!redaction.isNeeded) return options;
  return options.map(({ _meta, ...option }) => ({ ...option, name: redaction.text(option.name) }));
}

/** The question whether a call may be made, without secrets. */
export function redactPermission(
  request: RequestPermissionRequest,
  redaction: Redaction,
): RequestPermissionRequest {
  return {
    ...request,
    toolCall: redactCall(request.toolCall, redaction),
    options: redactOptions(request.options, redaction),
  };
}

/** The question of an agent, and its form, without secrets. */
export function redactElicitation(
  request: CreateElicitationRequest,
  redaction: Redaction,
): CreateElicitationRequest {
  if (!redaction.isNeeded) return request;
  const redacted = clientRequests['elicitation/create'].parseParams(redaction.value(request));
  if (!(redacted instanceof Invalid)) return redacted;
  // A secret that is also a word of the protocol leaves no form that could be filled in.
  const message = redaction.text(request.message);
  return request.mode === 'form' ? { ...request, message, requestedSchema: {} } : { ...request, message };
}
