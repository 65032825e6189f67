import {
  runTurn,
  type AapClient,
  type ContentBlock as AapBlock,
  type PermissionAnswer,
  type ReceivedAgentInfo,
  type ReceivedTurnEvent,
  type StreamMode,
  type OpenCall,
  type ToolHandler,
  type TurnEnd,
} from '@parley/aap';
import type { ContentBlock, PromptContext, PromptResponse, StopReason, ToolCallStatus } from '@parley/acp';
import { RpcError, rpcCodes } from '@parley/wire';
import { contentText, imageUrl } from '../bridge/content-text.ts';
import { askPermission, offeredOptions } from './ask-permission.ts';
import type { ServerSession } from './server-session.ts';
import { toOptionUpdate } from './session-options.ts';
import { toCall, toTellable, toUpdate } from './session-updates.ts';
import { refusing } from './to-rpc-error.ts';
import { toBroughtCall, useBroughtTool } from './use-brought-tool.ts';

/** What a prompt is run with. */
export interface PromptOptions {
  readonly client: AapClient;
  readonly info: ReceivedAgentInfo;
  readonly context: PromptContext;
}

/** Runs one prompt. It takes as many turns of the server as there are calls for which the client has to be asked. */
export async function runPrompt(
  session: ServerSession,
  prompt: readonly ContentBlock[],
  { client, info, context }: PromptOptions,
): Promise<PromptResponse> {
  /** Calls that have no result yet. */
  const open = new Set<string>();
  const denied = new Set<string>();
  const sendStatus = (toolCallId: string, status: ToolCallStatus): Promise<void> =>
    context.update({ sessionUpdate: 'tool_call_update', toolCallId, status });

  const tools = new Map((await session.takeTools(info, context)).map((tool) => [tool.name, tool]));

  const permission = async (call: OpenCall): Promise<PermissionAnswer> => {
    const question = { tool: call.name, toolCall: toCall(call, info), offered: offeredOptions(call) };
    const answer = await askPermission(session, question, context);
    if (!answer.granted) {
      open.delete(call.toolCallId);
      denied.add(call.toolCallId);
    }
    await sendStatus(call.toolCallId, answer.granted ? 'in_progress' : 'failed');
    return answer;
  };

  const receive = async (event: ReceivedTurnEvent): Promise<void> => {
    if (event.event === 'turn_start') session.acceptChanges();
    if (event.event === 'tool_call') open.add(event.toolCallId);
    const tool = event.event === 'tool_call' ? tools.get(event.name) : undefined;
    if (event.event === 'tool_call' && tool !== undefined) {
      await context.update({ sessionUpdate: 'tool_call', ...toBroughtCall(event, tool), status: 'pending' });
      return;
    }
    if (event.event === 'tool_result') open.delete(event.toolCallId);
    // The result says that it was denied, and need not say that this is an error.
    const isDenial = event.event === 'tool_result' && denied.has(event.toolCallId);
    const update =
      toUpdate(isDenial ? { ...event, isError: true } : event, info) ?? toOptionUpdate(event, session, info);
    if (update !== undefined) await context.update(toTellable(update, context));
  };

  const use = { session, info, context, onEnd: (toolCallId: string) => void open.delete(toolCallId) };
  const handlers = Array.from(tools.values(), (tool): [string, ToolHandler] => [
    tool.name,
    (_input, call) => useBroughtTool(tool, call, use),
  ]);

  const turn = runTurn(
    client,
    session.sessionId,
    { role: 'user', content: prompt.map(toBlock) },
    {
      stream: streamMode(info),
      agent: { options: session.changes },
      ...(session.undeclared !== undefined && { declare: session.undeclared }),
      tools: Object.fromEntries(handlers),
      permission,
      onEvent: receive,
      signal: context.signal,
    },
  );
  let last: ToolCallStatus = 'failed';
  try {
    const stopReason = toStopReason(await refusing(turn, session.sessionId));
    // Some servers send no result of a call that was granted.
    if (stopReason !== 'cancelled') last = 'completed';
    return { stopReason };
  } finally {
    for (const toolCallId of open) await sendStatus(toolCallId, last);
  }
}

/** The most detailed stream mode that the agent supports. */
function streamMode({ capabilities }: ReceivedAgentInfo): StreamMode {
  if (capabilities?.stream?.delta !== undefined) return 'delta';
  return capabilities?.stream?.message === undefined ? 'none' : 'message';
}

function toBlock(block: ContentBlock): AapBlock {
  return block.type === 'image'
    ? { type: 'image', url: imageUrl(block) }
    : { type: 'text', text: contentText(block) };
}

/** @throws {RpcError} The turn failed. */
function toStopReason({ stopReason, detail, error }: TurnEnd): StopReason {
  switch (stopReason) {
    case 'max_tokens':
      return detail === 'max_turn_requests' ? 'max_turn_requests' : 'max_tokens';
    case 'refusal':
      return 'refusal';
    case 'error':
      if (detail === 'cancelled') return 'cancelled';
      throw new RpcError(rpcCodes.internalError, error?.message ?? 'the turn failed', {
        ...(error !== undefined && { code: error.code }),
        ...(detail !== undefined && { detail }),
      });
    case 'end_turn':
    // Without a call that waits.
    case 'tool_use':
      return 'end_turn';
  }
  // A word that is newer than this program: the turn is over.
  return 'end_turn';
}
