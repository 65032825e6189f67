import type { PlanEntry, ToolCall, ToolCallContent } from '@parley/acp';
import { AgentError } from '../agent-error.ts';
import { cutText } from '../cut-text.ts';
import { errorCode } from '../error-code.ts';
import type { ModelToolCall, ModelToolResult } from '../model/model.ts';
import type { DecidedBy, Decision } from '../permission/decide.ts';
import { toTitle } from '../tools/argument/title.ts';
import { textContent } from '../tools/content.ts';
import { findTool } from '../tools/find-tool.ts';
import type { PreparedCall, Tool } from '../tools/tool.ts';
import { permit } from './permit.ts';
import type { Turn } from './turn.ts';

/**
 * Runs one call and reports it from `pending` to its end, permission question included.
 * Any failure, and a cancel, is a result for the model.
 */
export async function runToolCall(turn: Turn, call: ModelToolCall): Promise<ModelToolResult> {
  const reading = readCall(turn, call);
  if (reading.state === 'plan') return await showPlan(turn, call, reading.entries);
  const toolCall = await openCall(turn, call, reading);
  const { toolCallId } = toolCall;
  try {
    if (reading.state === 'wrong') throw reading.error;
    const decision = await permit(turn, toolCall, reading.prepared);
    if (decision.decision === 'deny') return await closeRefused(turn, call, toolCallId, decision);
    const permitted = { prepared: reading.prepared, meta: permissionMeta('allow', decision.by) };
    return await runPermitted(turn, call, toolCallId, permitted);
  } catch (error) {
    return await closeFailed(turn, call, toolCallId, error);
  }
}

/** Reports a call that is not going to run, and why. */
export async function refuseToolCall(
  turn: Turn,
  call: ModelToolCall,
  reason: AgentError,
): Promise<ModelToolResult> {
  const { toolCallId } = await openCall(turn, call, readCall(turn, call));
  return await closeFailed(turn, call, toolCallId, reason);
}

/** What a call turned out to be. */
type CallReading =
  | { readonly state: 'ready'; readonly tool: Tool; readonly prepared: PreparedCall }
  | { readonly state: 'plan'; readonly tool: Tool; readonly entries: readonly PlanEntry[] }
  | { readonly state: 'wrong'; readonly tool?: Tool; readonly error: unknown };

function readCall({ offerTools, workplace }: Turn, { name, input }: ModelToolCall): CallReading {
  let tool: Tool | undefined;
  try {
    tool = findTool(offerTools(), name);
    const prepared = tool.prepare(input, workplace);
    return 'plan' in prepared
      ? { state: 'plan', tool, entries: prepared.plan }
      : { state: 'ready', tool, prepared };
  } catch (error) {
    return { state: 'wrong', ...(tool !== undefined && { tool }), error };
  }
}

async function showPlan(
  { client }: Turn,
  { id, name }: ModelToolCall,
  entries: readonly PlanEntry[],
): Promise<ModelToolResult> {
  await client.update({ sessionUpdate: 'plan', entries });
  return { id, name, isError: false, text: 'The user sees the plan' };
}

async function openCall(
  { conversation, client }: Turn,
  { name, input }: ModelToolCall,
  reading: CallReading,
): Promise<ToolCall> {
  const { title, locations } = reading.state === 'ready' ? reading.prepared : { title: toTitle(name) };
  const toolCall: ToolCall = {
    toolCallId: conversation.createToolCallId(),
    name: reading.tool?.name ?? name,
    title,
    kind: reading.tool?.kind ?? 'other',
    status: 'pending',
    rawInput: input,
    ...(locations !== undefined && { locations }),
  };
  await client.update({ sessionUpdate: 'tool_call', ...toolCall });
  return toolCall;
}

interface PermittedCall {
  readonly prepared: PreparedCall;
  /** What permitted it, if the user was not asked. */
  readonly meta: PermissionMeta;
}

async function runPermitted(
  { client, limits, conversation, runSubagent }: Turn,
  { id, name }: ModelToolCall,
  toolCallId: string,
  { prepared, meta }: PermittedCall,
): Promise<ModelToolResult> {
  const showProgress = (content: readonly ToolCallContent[]): Promise<void> =>
    client.update({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: 'in_progress',
      content,
    });
  await client.update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress', ...meta });
  // What may change something is in the log before it happens: if we are ended meanwhile, the next opening says so.
  const { kind } = prepared.action;
  if (kind !== 'read' && kind !== 'none') await conversation.recorder.flush();
  const output = await prepared.run({
    signal: client.signal,
    ...(client.trace !== undefined && { trace: client.trace }),
    show: showProgress,
    askUser: (question) => client.askUser(toolCallId, question),
    runSubagent: (task) => runSubagent(task, showProgress),
  });
  const isError = output.isError === true;
  const end = {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: isError ? 'failed' : 'completed',
    content: output.content,
    rawOutput: output.rawOutput,
    ...(output.locations !== undefined && { locations: output.locations }),
  } as const;
  await client.update(end, { ...end, content: output.keptContent ?? output.content });
  return {
    id,
    name,
    isError,
    text: cutText(output.text, limits.messageChars),
    ...(output.images !== undefined && output.images.length > 0 && { images: output.images }),
  };
}

function closeRefused(
  turn: Turn,
  call: ModelToolCall,
  toolCallId: string,
  { reason, by }: Extract<Decision, { readonly decision: 'deny' }>,
): Promise<ModelToolResult> {
  const error = new AgentError('refused', reason);
  return closeFailed(turn, call, toolCallId, error, permissionMeta('deny', by));
}

async function closeFailed(
  { client, limits }: Turn,
  { id, name }: ModelToolCall,
  toolCallId: string,
  error: unknown,
  meta: PermissionMeta = {},
): Promise<ModelToolResult> {
  const isCancelled = client.signal.aborted;
  const code = isCancelled ? 'cancelled' : (errorCode(error) ?? 'failed');
  const message = isCancelled ? 'Cancelled' : error instanceof Error ? error.message : String(error);
  await client.update({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: 'failed',
    content: [textContent(message)],
    rawOutput: { error: { code, message } },
    ...meta,
  });
  return { id, name, isError: true, text: cutText(message, limits.messageChars) };
}

/** What the update of a tool call says when the user was not asked about it. */
interface PermissionMeta {
  readonly _meta?: {
    readonly 'parley/permission': { readonly decision: 'allow' | 'deny' } & DecidedBy;
  };
}

/** Names what decided about a call in place of the user; empty when the user did, or nothing had to be decided. */
function permissionMeta(decision: 'allow' | 'deny', by: DecidedBy | undefined): PermissionMeta {
  return by === undefined ? {} : { _meta: { 'parley/permission': { decision, ...by } } };
}
