import type { CallContext, Content, OpenCall, ReceivedAgentInfo } from '@parley/aap';
import type { PromptContext, ToolCall, ToolCallStatus } from '@parley/acp';
import { imageUrl } from '../bridge/content-text.ts';
import { askPermission } from './ask-permission.ts';
import type { BroughtResult, BroughtTool } from './brought-tools.ts';
import type { ServerSession } from './server-session.ts';

/**
 * A call of a client's tool, as the client sees it. Other fields from the server are ignored, because the tool runs
 * here.
 */
export function toBroughtCall({ toolCallId, input }: OpenCall, { name, title }: BroughtTool): ToolCall {
  return { toolCallId, title, name, kind: 'other', rawInput: input };
}

/** What a tool is used with. */
export interface UseOptions {
  readonly session: ServerSession;
  readonly info: ReceivedAgentInfo;
  readonly context: PromptContext;
  /** The call has ended, and the client was notified. */
  readonly onEnd: (toolCallId: string) => void;
}

/**
 * Calls a tool of the client, if the client allows it.
 *
 * @throws {Error} The call was rejected or failed; the message is for the agent.
 */
export async function useBroughtTool(
  tool: BroughtTool,
  { call, signal }: CallContext,
  { session, info, context, onEnd }: UseOptions,
): Promise<Content> {
  const { toolCallId } = call;
  const update = (status: ToolCallStatus, content?: BroughtResult['content']): Promise<void> =>
    context.update({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status,
      ...(content !== undefined && { content: [...content] }),
    });
  const question = { tool: tool.name, toolCall: toBroughtCall(call, tool), offered: [] };
  const { granted } = await askPermission(session, question, context);
  signal.throwIfAborted();
  if (!granted) {
    onEnd(toolCallId);
    await update('failed');
    throw new Error('the user denied this call');
  }
  await update('in_progress');
  let result: BroughtResult;
  try {
    result = await tool.call(call.input, {
      signal,
      show: (content) => (signal.aborted ? Promise.resolve() : update('in_progress', content)),
    });
    signal.throwIfAborted();
  } catch (error) {
    // The turn is over, and with it the call.
    if (signal.aborted) throw error;
    onEnd(toolCallId);
    const text = error instanceof Error ? error.message : String(error);
    await update('failed', [{ type: 'content', content: { type: 'text', text } }]);
    throw error;
  }
  onEnd(toolCallId);
  const { text, images = [], content, isError = false } = result;
  await update(isError ? 'failed' : 'completed', content);
  if (isError) throw new Error(text);
  if (images.length === 0 || info.capabilities?.image?.data === undefined) return text;
  return [
    { type: 'text', text },
    ...images.map((image) => ({ type: 'image' as const, url: imageUrl(image) })),
  ];
}
