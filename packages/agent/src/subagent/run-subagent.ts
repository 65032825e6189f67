import type { StateUpdate, StopReason, SubagentSessionUpdate, ToolCallContent } from '@parley/acp';
import type { ClientPeer } from '@parley/acp/unstable';
import { rpcCodes, RpcError } from '@parley/wire';
import { AgentError } from '../agent-error.ts';
import type { ShownUpdates } from '../client/shown-update.ts';
import { toTurnClient, type TurnChannel } from '../client/turn-client.ts';
import { toTurnWorkplace } from '../client/turn-workplace.ts';
import { Conversation } from '../conversation/conversation.ts';
import { Jobs } from '../job/jobs.ts';
import { offerTools } from '../tools/tool-set.ts';
import { runTurn } from '../turn/run-turn.ts';
import type { Turn, TurnClient } from '../turn/turn.ts';
import type { SubagentResult, SubagentStopReason, SubagentTask } from './subagent-task.ts';
import { toResultText } from './to-result-text.ts';

/** Options of a sub-agent. */
export interface SubagentOptions {
  /** The turn that it works for. */
  readonly parent: Turn;
  readonly channel: TurnChannel;
  readonly shown: ShownUpdates;
  /** The client outside of any request: if it cancels the sub-agent, the turn continues. */
  readonly client: ClientPeer;
  /** Displays content in the call that started it. */
  readonly show: (content: readonly ToolCallContent[]) => Promise<void>;
}

/** Runs a sub-agent to its end, as soon as there is room for it. The client sees its session below that of the parent. */
export async function runSubagent(task: SubagentTask, options: SubagentOptions): Promise<SubagentResult> {
  const { conversation, workplace, client } = options.parent;
  const sessionId = `sess_${workplace.environment.createId()}`;
  return await conversation.subagents.run(sessionId, client.signal, (signal) =>
    work(task, openChild(sessionId, task, conversation), signal, options),
  );
}

async function work(
  { kind, title, prompt }: SubagentTask,
  child: Conversation,
  signal: AbortSignal,
  options: SubagentOptions,
): Promise<SubagentResult> {
  const { parent, show } = options;
  const { id: sessionId } = child;
  const send = (update: Omit<SubagentSessionUpdate, 'sessionUpdate' | 'sessionId'>): Promise<void> =>
    parent.client.update({ sessionUpdate: 'subagent_update', sessionId, ...update });
  await send({
    title,
    ...(kind === 'explore' && { description: 'Only reads' }),
    capabilities: { cancel: {} },
    state: { state: 'running' },
  });
  const turn = openTurn(child, signal, { ...options, setState: (state) => send({ state }) });
  let outcome: Outcome;
  try {
    await show([{ type: 'session', sessionId }]);
    const content = [{ type: 'text', text: prompt }] as const;
    const ids = { senderSessionId: parent.conversation.id, recipientSessionId: sessionId };
    const messageId = child.createMessageId();
    await turn.client.update({ sessionUpdate: 'session_message', messageId, ...ids, content });
    outcome = toOutcome(await runTurn(turn, { role: 'user', text: prompt }));
  } catch (error) {
    outcome = toFailure(error);
  }
  await child.workplace.jobs.close();
  await child.recorder.close();
  await send({ capabilities: null, state: { state: 'idle', ...outcome } });
  const error = 'error' in outcome ? outcome.error.message : undefined;
  const end = { stopReason: outcome.stopReason, ...(error !== undefined && { error }) };
  const text = toResultText(child.transcript.messages, end, turn.limits);
  return { sessionId, stopReason: outcome.stopReason, text };
}

/** How the work of a sub-agent ended. */
type Outcome =
  | { readonly stopReason: Exclude<SubagentStopReason, 'error'> }
  | { readonly stopReason: 'error'; readonly error: { readonly code: number; readonly message: string } };

function toOutcome(stopReason: StopReason): Outcome {
  return stopReason === 'unknown' ? toFailure(new Error('Unknown stop reason')) : { stopReason };
}

/** Converts an error of a sub-agent to a result: it does not fail its parent. */
function toFailure(error: unknown): Outcome {
  const code = error instanceof RpcError ? error.code : rpcCodes.internalError;
  const message = error instanceof Error ? error.message : String(error);
  return { stopReason: 'error', error: { code, message } };
}

/** Opens a conversation with its own transcript and background commands; all else is shared with its parent. */
function openChild(sessionId: string, { kind }: SubagentTask, conversation: Conversation): Conversation {
  const { workplace, servers, model, permissions, recorder } = conversation;
  const { environment, limits, files } = workplace;
  return new Conversation(sessionId, {
    workplace: { ...workplace, jobs: new Jobs({ environment, limits, cwd: files.cwd, opening: 0 }) },
    servers,
    model,
    permissions,
    notices: [],
    recorder: recorder.ofSubagent(sessionId),
    parent: { conversation, kind },
  });
}

interface ChildOptions extends SubagentOptions {
  readonly setState: (state: StateUpdate) => Promise<void>;
}

function openTurn(child: Conversation, signal: AbortSignal, options: ChildOptions): Turn {
  const { parent, channel, client, shown } = options;
  const { limits, clock, instructionFiles } = parent;
  const own: TurnChannel = {
    sessionId: shown.hasSubagents ? child.id : channel.sessionId,
    client,
    signal,
    meta: channel.meta,
    send: async (update) => {
      const it = shown.of(update, child.id);
      if (it === undefined) return;
      const sessionId = it.subagent ?? channel.sessionId;
      await client.notify('session/update', { sessionId, update: it.update });
    },
  };
  return {
    conversation: child,
    workplace: toTurnWorkplace(child.workplace, own, client, parent.workplace.sandbox),
    offerTools: () => offerTools(child),
    limits: { ...limits, maxSteps: limits.subagentSteps },
    clock,
    client: toChildClient(child, own, options),
    instructionFiles,
    // It has no tool for that.
    runSubagent: () => Promise.reject(new AgentError('refused', 'A sub-agent cannot start sub-agents')),
  };
}

/** The client for the turn of a sub-agent: while a request is open, the sub-agent's state says so. */
function toChildClient(child: Conversation, channel: TurnChannel, options: ChildOptions): TurnClient {
  const { parent, shown, setState } = options;
  const client = toTurnClient(channel, child.recorder);
  const whileWaiting = async <T>(ask: () => Promise<T>): Promise<T> => {
    await setState({ state: 'requires_action' });
    try {
      return await ask();
    } finally {
      if (!channel.signal.aborted) await setState({ state: 'running' });
    }
  };
  return {
    ...client,
    requestPermission: async (toolCall, permissionOptions) => {
      const outcome = await whileWaiting(() =>
        client.requestPermission(shown.callOf(toolCall, child.id), permissionOptions),
      );
      // A client that cancels answers so; its `session/cancel` may come later.
      if (outcome.outcome === 'cancelled') parent.conversation.subagents.cancel(child.id);
      return outcome;
    },
    askUser: (toolCallId, question) =>
      whileWaiting(() => client.askUser(shown.callOf({ toolCallId }, child.id).toolCallId, question)),
  };
}
