import type { StopReason } from '@parley/acp';
import { errorCode } from '../error-code.ts';
import type { ModelReasoning, ModelStopReason, ModelToolCall } from '../model/model.ts';
import { ResponseOutlet } from './response-outlet.ts';
import { toRequest } from './to-request.ts';
import type { Turn } from './turn.ts';

/** A response of the model, already shown to the client and stored in the conversation. */
export interface StreamedResponse {
  readonly calls: readonly RequestedCall[];
  /** Why the turn ends when there are no calls. */
  readonly stopReason: StopReason;
}

/** A call the model wants, so many times. */
export interface RequestedCall {
  readonly call: ModelToolCall;
  readonly times: number;
}

/** Requests a response and streams it to the client. Its tool calls are collected, not run. */
export async function streamResponse(turn: Turn): Promise<StreamedResponse> {
  const { conversation, client } = turn;
  await sendBlindnessNotice(turn);
  const request = toRequest(turn);
  const outlet = new ResponseOutlet(turn);
  const calls: RequestedCall[] = [];
  let reasoning: readonly ModelReasoning[] = [];
  let stop: ModelStopReason = 'end';
  let isWhole = false;
  let isUnread = false;
  let usedTokens: number | undefined;
  try {
    for await (const part of conversation.model.respond(request, client.signal)) {
      client.signal.throwIfAborted();
      if (part.type === 'usage') {
        usedTokens = part.usedTokens;
        conversation.addCost(part.costUsd);
      } else if (part.type === 'stop') stop = part.reason;
      else if (part.type === 'notice') await client.notify(conversation.createMessageId(), part);
      else if (part.type === 'reasoning') reasoning = withinLimit(part.reasoning, turn.limits.messageChars);
      else {
        const { part: single, times } = part.type === 'repeat' ? part : { part, times: 1 };
        if (single.type === 'tool-call') calls.push({ call: single, times });
        else await outlet.show(single, times);
      }
    }
    client.signal.throwIfAborted();
    // A response that was stopped in its middle may lack the end of its last call.
    isWhole = stop === 'end' || stop === 'tool-calls';
  } catch (error) {
    isUnread = errorCode(error) === 'context-overflow';
    throw error;
  } finally {
    // What was said before a cancel was said. Calls that will not run are left out: each call needs a result.
    const toolCalls = isWhole ? calls.map(({ call }) => call) : [];
    if (!isUnread) {
      conversation.transcript.add({
        role: 'assistant',
        text: outlet.text,
        toolCalls,
        ...(isWhole && reasoning.length > 0 && { reasoning }),
      });
    }
    // What the model counted includes its response.
    if (usedTokens !== undefined) conversation.transcript.count(usedTokens);
  }
  return { calls: isWhole ? calls : [], stopReason: toStopReason(stop) };
}

/** Notifies the user that the model does not accept images, so that it does not seem to have seen them. */
async function sendBlindnessNotice({ conversation, client }: Turn): Promise<void> {
  const { current } = conversation.model;
  if (current.takesImages === true || !conversation.transcript.hasImages) return;
  const title = `${current.id} does not accept images`;
  if (!conversation.isNewNotice(title)) return;
  const description = 'It only learns that there are some, not what they show.';
  await client.notify(conversation.createMessageId(), { title, description });
}

/** A thought with its signature is kept whole or not at all. */
function withinLimit(reasoning: readonly ModelReasoning[], limitChars: number): readonly ModelReasoning[] {
  const chars = reasoning.reduce((sum, { text }) => sum + text.length, 0);
  return chars > limitChars ? [] : reasoning;
}

function toStopReason(reason: ModelStopReason): StopReason {
  switch (reason) {
    case 'end':
    case 'tool-calls':
      return 'end_turn';
    case 'length':
      return 'max_tokens';
    case 'refusal':
      return 'refusal';
  }
}
