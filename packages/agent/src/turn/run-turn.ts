import type { StopReason } from '@parley/acp';
import { rpcCodes, RpcError } from '@parley/wire';
import { AgentError } from '../agent-error.ts';
import { keepWithinWindow, makeRoomAfterOverflow } from '../compaction/keep-within-window.ts';
import { errorCode } from '../error-code.ts';
import type { ModelMessage, ModelToolCall, ModelToolResult } from '../model/model.ts';
import { readPrompt } from '../prompt/read-prompt.ts';
import type { Tool } from '../tools/tool.ts';
import { LoopDetector } from './loop-detector.ts';
import { refuseToolCall, runToolCall } from './run-tool-call.ts';
import { sendUsage } from './send-usage.ts';
import { type RequestedCall, type StreamedResponse, streamResponse } from './stream-response.ts';
import type { Turn } from './turn.ts';

/** Takes the session from a prompt to a stop reason; a cancel is a stop reason too. */
export async function runTurn(turn: Turn, prompt: ModelMessage): Promise<StopReason> {
  const { conversation, client } = turn;
  conversation.turns += 1;
  conversation.transcript.add(prompt);
  conversation.steering.open();
  const stopReason = await runSteps(turn)
    .catch(async (error: unknown): Promise<StopReason> => {
      if (client.signal.aborted) return 'cancelled';
      return endWithModelFailure(turn, error);
    })
    .finally(() => {
      conversation.steering.close();
    });
  await sendUsage(turn);
  // The client has it all before the end of the turn is written.
  await turn.clock.breathe();
  return stopReason;
}

/** A step is a response with calls, and the calls; the response that ends the turn is none. */
async function runSteps(turn: Turn): Promise<StopReason> {
  const detector = new LoopDetector(turn.limits);
  for (let step = 1; ; step += 1) {
    await takeSteered(turn);
    await keepWithinWindow(turn);
    const { calls, stopReason } = await respond(turn);
    if (calls.length === 0) {
      if (turn.conversation.steering.closeIfEmpty()) return stopReason;
      continue;
    }
    const stop = await runCalls(turn, calls, detector, step);
    if (stop !== undefined) return stop;
  }
}

/** Adds what the user has sent into the turn: the model reads it with the next request. */
async function takeSteered(turn: Turn): Promise<void> {
  for (const prompt of turn.conversation.steering.take()) {
    turn.conversation.recorder.steered(prompt);
    turn.conversation.transcript.add(await readPrompt(turn, prompt));
  }
}

/** One response; where the provider says that the conversation is too long, one more after it was made shorter. */
async function respond(turn: Turn): Promise<StreamedResponse> {
  try {
    return await streamResponse(turn);
  } catch (error) {
    if (errorCode(error) !== 'context-overflow' || !(await makeRoomAfterOverflow(turn))) throw error;
    return await streamResponse(turn);
  }
}

async function runCalls(
  turn: Turn,
  calls: readonly RequestedCall[],
  detector: LoopDetector,
  step: number,
): Promise<StopReason | undefined> {
  const { maxSteps } = turn.limits;
  let refusal =
    step > maxSteps ? limitError(`The turn reached its limit of ${String(maxSteps)} steps`) : undefined;
  const results: ModelToolResult[] = [];
  const tools = new Map(turn.offerTools().map((tool) => [tool.name, tool]));
  for (const group of toGroups(calls, tools)) {
    const isChecked = !group.some(({ call }) => tools.get(call.name)?.isRepeatable === true);
    const answering = group.map((requested) => {
      const loop = isChecked ? detector.findLoop(requested.call) : undefined;
      if (loop !== undefined) refusal ??= limitError(loop);
      return answerCall(turn, requested, refusal);
    });
    const answers = await allEnded(answering);
    if (isChecked) detector.takeResults(...answers.map(({ text }) => text));
    results.push(...answers);
  }
  turn.conversation.transcript.add({ role: 'tool', results });
  // Nothing in a step has to wait, and the connection has to read, a cancel for example.
  await turn.clock.breathe();
  await turn.conversation.recorder.endStep();
  if (turn.client.signal.aborted) return 'cancelled';
  if (refusal === undefined) return undefined;
  await sendLimitNotice(turn, refusal);
  return 'max_turn_requests';
}

/** That a call failed is easily overlooked: what ended the turn is said. */
async function sendLimitNotice({ conversation, client }: Turn, { message }: AgentError): Promise<void> {
  await client.update({
    sessionUpdate: 'agent_message_chunk',
    messageId: conversation.createMessageId(),
    content: {
      type: 'text',
      text: `Stopped: ${message}.${conversation.parent === undefined ? ' Send another prompt to continue.' : ''}`,
    },
  });
}

/** Calls in the order of the response: those that may run at the same time together, every other one by itself. */
function toGroups(
  calls: readonly RequestedCall[],
  tools: ReadonlyMap<string, Tool>,
): readonly (readonly RequestedCall[])[] {
  const groups: RequestedCall[][] = [];
  let isOpen = false;
  for (const requested of calls) {
    const isParallel = tools.get(requested.call.name)?.isParallel === true;
    if (isOpen && isParallel) groups.at(-1)?.push(requested);
    else groups.push([requested]);
    isOpen = isParallel;
  }
  return groups;
}

/** Settles when all promises have settled, so that nothing continues after an error. */
async function allEnded<T>(running: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(running);
  return await Promise.all(running);
}

function limitError(message: string): AgentError {
  return new AgentError('limit', message);
}

/** Each call of a response gets a result in any case: a model refuses a conversation where one is missing. */
async function answerCall(
  turn: Turn,
  { call, times }: RequestedCall,
  refusal: AgentError | undefined,
): Promise<ModelToolResult> {
  if (turn.client.signal.aborted) {
    return { id: call.id, name: call.name, isError: true, text: 'Cancelled before it began' };
  }
  return refusal === undefined
    ? await runTimes(turn, call, times)
    : await refuseToolCall(turn, call, refusal);
}

/** How many equal calls run before the connection gets its chance to read, a cancel for example. */
const callsPerBreath = 100;

/** Runs a call again and again; the result is that of the last one, or of the last one that failed. */
async function runTimes(turn: Turn, call: ModelToolCall, times: number): Promise<ModelToolResult> {
  let answer = await runToolCall(turn, call);
  let failures = answer.isError ? 1 : 0;
  for (let time = 1; time < times && !turn.client.signal.aborted; time += 1) {
    if (time % callsPerBreath === 0) await turn.clock.breathe();
    const result = await runToolCall(turn, call);
    if (result.isError) failures += 1;
    if (result.isError || failures === 0) answer = result;
  }
  if (times === 1 || failures === 0) return answer;
  return { ...answer, text: `${answer.text} (${String(failures)} of ${String(times)} times)` };
}

/**
 * Ends a turn whose model gave no answer: the user sees why, and the prompt is answered with an error, for no stop
 * reason says that. Agentao ends such a turn as if it had succeeded. Any other error is thrown again.
 */
async function endWithModelFailure(turn: Turn, error: unknown): Promise<StopReason> {
  const code = errorCode(error);
  if ((code !== 'model-failed' && code !== 'context-overflow') || !(error instanceof Error)) throw error;
  const { message } = error;
  await turn.client.update({
    sessionUpdate: 'agent_message_chunk',
    messageId: turn.conversation.createMessageId(),
    content: { type: 'text', text: `Error: ${message}` },
  });
  if (turn.dialect === 'agentao') return 'end_turn';
  throw new RpcError(rpcCodes.internalError, message, { code: 'model-failed' }, { cause: error });
}
