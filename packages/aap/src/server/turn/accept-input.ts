import { valueAt, shorten } from '@parley/wire';
import type { AgentInfo } from '../../agent-info.ts';
import type { ContentBlock, ToolUseContentBlock } from '../../content-block.ts';
import type { ApplicationMessage, ToolMessage, ToolPermissionMessage, UserMessage } from '../../message.ts';
import type { ServerToolRef } from '../../tool.ts';
import { checkImages } from '../config/check-settings.ts';
import { RequestError } from '../request-error.ts';
import type { ApplicationAnswer, TurnInput } from '../session/aap-session-record.ts';
import type { PendingCall, AapSessionState } from '../session/aap-session-state.ts';
import { deniedText, notEnabledText } from './run-outcome.ts';

/** What decides whether messages may begin a turn. */
export interface AcceptInputOptions {
  readonly state: AapSessionState;
  readonly info: AgentInfo;
  /** The agent's tools that are enabled from now on. */
  readonly enabled?: readonly ServerToolRef[] | undefined;
}

/** What a turn of this session begins with, if these messages may begin one. */
export function acceptInput(
  messages: readonly ApplicationMessage[],
  { state, info, enabled = [] }: AcceptInputOptions,
): TurnInput {
  const [first] = messages;
  if (first === undefined) throw invalid('messages: expected at least one');
  const users = messages.filter((message) => message.role === 'user');
  if (users.length === 0) return acceptAnswers(messages, state, enabled);
  if (messages.length > 1 || first.role !== 'user') {
    throw invalid('messages: expected one message of the user, or results and permissions only');
  }
  return acceptMessage(first, { state, info });
}

function acceptMessage(
  message: UserMessage,
  { state, info }: { readonly state: AapSessionState; readonly info: AgentInfo },
): TurnInput {
  const { content } = message;
  if (typeof content !== 'string') {
    const odd = content.find(({ type }) => type !== 'text' && type !== 'image');
    if (odd !== undefined) throw invalid(`messages[0].content: expected text and images, not ${odd.type}`);
  }
  if (content.length === 0) throw invalid('messages[0].content: expected something');
  checkImages(info, content);
  const superseded = state.waitingCalls.map(({ call }): ToolMessage => ({
    role: 'tool',
    toolCallId: call.toolCallId,
    content: deniedText('superseded by a new message'),
  }));
  return { kind: 'message', message, ...(superseded.length > 0 && { superseded }) };
}

function acceptAnswers(
  messages: readonly ApplicationMessage[],
  state: AapSessionState,
  enabled: readonly ServerToolRef[],
): TurnInput {
  const ids = messages.flatMap((message) => (message.role === 'user' ? [] : [message.toolCallId]));
  if (new Set(ids).size < ids.length) throw invalid('messages: expected one answer for each call');
  const waiting = new Map(state.waitingCalls.map((open) => [open.call.toolCallId, open]));
  const answers = messages.flatMap((message) =>
    message.role === 'user' ? [] : [acceptAnswer(message, { waiting, state, enabled })],
  );
  const missing = [...waiting.keys()];
  if (missing.length === 0) return { kind: 'answers', answers };
  throw new RequestError(
    400,
    'incomplete_tool_results',
    `messages: all calls that wait must be answered together; missing: ${missing.join(', ')}`,
    { details: { missing } },
  );
}

interface Waiting {
  readonly waiting: Map<string, PendingCall>;
  readonly state: AapSessionState;
  readonly enabled: readonly ServerToolRef[];
}

/** Takes each call once out of those that wait. */
function acceptAnswer(
  message: ToolMessage | ToolPermissionMessage,
  { waiting, state, enabled }: Waiting,
): ApplicationAnswer {
  const { toolCallId } = message;
  const open = waiting.get(toolCallId);
  if (open === undefined) throw notWaiting(toolCallId, state);
  waiting.delete(toolCallId);
  if (open.asks === 'result') return toResult(message);
  if (message.role === 'tool_permission') checkChoice(message, state);
  // Applications that know no such tool say so in a message of the tool.
  if (message.role === 'tool') return toDenial(toolCallId, toText(message.content));
  if (!message.granted) return { ...toDenial(toolCallId, message.reason), ...choiceOf(message) };
  if (!enabled.some(({ name }) => name === open.call.name)) return toDenial(toolCallId, notEnabledText);
  return { kind: 'granted', toolCallId, ...choiceOf(message) };
}

function choiceOf({ optionId }: ToolPermissionMessage): { readonly optionId?: string } {
  return optionId === undefined ? {} : { optionId };
}

/** A choice that the call does not offer, or one that means the opposite, is not replaced by another. */
function checkChoice(message: ToolPermissionMessage, state: AapSessionState): void {
  const { toolCallId, granted, optionId } = message;
  const options = calledIn(state, toolCallId)?._meta?.['options'];
  if (optionId === undefined || !Array.isArray(options)) return;
  const kinds = granted ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const fitting = options.flatMap((option: unknown) =>
    kinds.includes(String(valueAt(option, 'kind'))) ? [String(valueAt(option, 'optionId'))] : [],
  );
  if (fitting.includes(optionId)) return;
  throw invalid(
    `messages: optionId: expected a choice of ${JSON.stringify(toolCallId)} that ${granted ? 'allows' : 'rejects'} it: ${fitting.map((id) => JSON.stringify(id)).join(', ')}`,
  );
}

function toResult(message: ToolMessage | ToolPermissionMessage): ApplicationAnswer {
  const { toolCallId } = message;
  if (message.role === 'tool') return { kind: 'result', toolCallId, content: message.content };
  if (!message.granted) return { kind: 'result', toolCallId, content: deniedText(message.reason) };
  throw invalid(
    `messages: ${JSON.stringify(toolCallId)} is a call of the application's own tool: expected its result`,
  );
}

function toDenial(toolCallId: string, reason: string | undefined): ApplicationAnswer {
  return { kind: 'denied', toolCallId, ...(reason !== undefined && { reason }) };
}

function toText(content: string | readonly ContentBlock[]): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function notWaiting(toolCallId: string, state: AapSessionState): RequestError {
  const named = shorten(toolCallId);
  const id = JSON.stringify(named);
  return calledIn(state, toolCallId) !== undefined
    ? new RequestError(409, 'tool_call_resolved', `the call ${id} was already answered`, {
        details: { toolCallId: named },
      })
    : new RequestError(400, 'unknown_tool_call', `this session has no call ${id}`, {
        details: { toolCallId: named },
      });
}

/** The last call with an id in the history. */
function calledIn({ history }: AapSessionState, toolCallId: string): ToolUseContentBlock | undefined {
  return history
    .flatMap(({ role, content }) => (role === 'assistant' && typeof content !== 'string' ? content : []))
    .findLast(
      (block): block is ToolUseContentBlock => block.type === 'tool_use' && block.toolCallId === toolCallId,
    );
}

function invalid(message: string): RequestError {
  return new RequestError(400, 'invalid_request', message);
}
