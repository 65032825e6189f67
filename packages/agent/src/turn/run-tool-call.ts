import type { ToolCall, ToolCallContent } from '@parley/acp';
import { AgentError } from '../agent-error.ts';
import { errorCode } from '../error-code.ts';
import type { ModelToolCall, ModelToolResult } from '../model/model.ts';
import { textContent } from '../tools/content.ts';
import { toTitle } from '../tools/title.ts';
import type { PreparedCall, Tool, Workplace } from '../tools/tool.ts';
import { cutText } from './cut-text.ts';
import { permit } from './permit.ts';
import type { Turn } from './turn.ts';

/**
 * Runs one call and reports it from `pending` to its end, permission question included.
 * Whatever fails, and a cancel, is a result for the model.
 */
export async function runToolCall(turn: Turn, call: ModelToolCall): Promise<ModelToolResult> {
  const { toolCall, prepared } = await openCall(turn, call);
  try {
    if (prepared.state === 'wrong') throw prepared.error;
    await permit(turn, toolCall, prepared.call);
    return await runPermitted(turn, call, toolCall.toolCallId, prepared.call);
  } catch (error) {
    return await closeFailed(turn, call, toolCall.toolCallId, error);
  }
}

/** Reports a call that is not going to run, and why. */
export async function refuseToolCall(
  turn: Turn,
  call: ModelToolCall,
  reason: AgentError,
): Promise<ModelToolResult> {
  const { toolCall } = await openCall(turn, call);
  return await closeFailed(turn, call, toolCall.toolCallId, reason);
}

interface OpenCall {
  readonly toolCall: ToolCall;
  readonly prepared:
    | { readonly state: 'ready'; readonly call: PreparedCall }
    | { readonly state: 'wrong'; readonly error: unknown };
}

async function openCall({ tools, session, workplace, client }: Turn, call: ModelToolCall): Promise<OpenCall> {
  const tool = tools.find(({ name }) => name === call.name);
  const prepared = prepare(tool, call, workplace);
  const { title, locations } = prepared.state === 'ready' ? prepared.call : { title: toTitle(call.name) };
  const toolCall: ToolCall = {
    toolCallId: session.createToolCallId(),
    name: call.name,
    title,
    kind: tool?.kind ?? 'other',
    status: 'pending',
    rawInput: call.input,
    ...(locations !== undefined && { locations }),
  };
  await client.update({ sessionUpdate: 'tool_call', ...toolCall });
  return { toolCall, prepared };
}

function prepare(tool: Tool | undefined, call: ModelToolCall, workplace: Workplace): OpenCall['prepared'] {
  try {
    if (tool === undefined) throw new AgentError('unknown-tool', `There is no tool "${call.name}"`);
    return { state: 'ready', call: tool.prepare(call.input, workplace) };
  } catch (error) {
    return { state: 'wrong', error };
  }
}

async function runPermitted(
  { client, limits }: Turn,
  { id, name }: ModelToolCall,
  toolCallId: string,
  prepared: PreparedCall,
): Promise<ModelToolResult> {
  const showProgress = (content?: readonly ToolCallContent[]): Promise<void> =>
    client.update({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: 'in_progress',
      ...(content !== undefined && { content }),
    });
  await showProgress();
  const output = await prepared.run({
    signal: client.signal,
    ...(client.trace !== undefined && { trace: client.trace }),
    show: showProgress,
    askUser: (question) => client.askUser(toolCallId, question),
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
  return { id, name, isError, text: cutText(output.text, limits.messageChars) };
}

async function closeFailed(
  { client, limits }: Turn,
  { id, name }: ModelToolCall,
  toolCallId: string,
  error: unknown,
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
  });
  return { id, name, isError: true, text: cutText(message, limits.messageChars) };
}
