import type { ContentBlock } from '@parley/acp';
import type { AgentStartEvent } from '../event/agent-event.ts';
import type { EventStamp, LoggedEvent, LoggedUpdate } from '../event/logged-event.ts';
import type { ElicitationRequestEvent, PermissionRequestEvent } from '../event/question-event.ts';
import type { SessionEvent } from '../event/session-event.ts';
import type { TurnEndEvent, TurnStartEvent } from '../event/turn-event.ts';
import {
  runningTurn,
  turnCount,
  type AgentLife,
  type FirstPrompt,
  type IntroducedAgent,
  type OpenQuestion,
  type SessionFacts,
  type SessionPhase,
  type TurnState,
} from './session-facts.ts';

/** The facts after one more event. An event that was already applied changes nothing. */
export function reduceFacts(before: SessionFacts, event: LoggedEvent): SessionFacts {
  return event.seq <= before.seq ? before : { ...before, ...changesOf(before, event) };
}

/** The facts that an event changes. */
export function changesOf(before: SessionFacts, event: LoggedEvent): Changes {
  const { seq, time } = event;
  // By far the most frequent. No update changes the phase.
  if (event.type === 'update' && !mayTitle(event)) return { seq, time, clientSeq: seq };
  const clientSeq = event.type === 'aap' ? before.clientSeq : seq;
  const changes = { ...afterEvent(before, event), seq, time, clientSeq };
  return { ...changes, phase: phaseOf({ ...before, ...changes }) };
}

/** Fields and what they become. */
export type Changes = Partial<SessionFacts>;

function afterEvent(before: SessionFacts, event: LoggedEvent): Changes {
  switch (event.type) {
    case 'update':
      return afterUpdate(before, event);
    case 'journal-start':
      return {
        startedAt: event.time,
        key: event.key,
        cwd: event.cwd,
        ...(event.worktree !== undefined && { worktree: event.worktree }),
        agent: { ...before.agent, name: event.agent },
      };
    case 'agent-start': {
      const isRestarted = before.agentLife.process.state === 'restarting';
      return { agent: toAgent(event), ...(!isRestarted && inLife(before, running)) };
    }
    case 'agent-end':
      return inLife(before, { idlePhase: event.expected ? 'closed' : 'failed', process: noProcess });
    case 'agent-restart': {
      const { attempt, attempts, delayMs, time } = event;
      return inLife(before, {
        idlePhase: 'starting',
        process: { state: 'restarting', attempt, attempts, at: time + delayMs },
      });
    }
    case 'agent-given-up':
      return inLife(before, { idlePhase: 'failed', process: noProcess });
    case 'session':
      return afterOpening(before, event);
    case 'session-ready':
      return inLife(before, { idlePhase: 'ready', ...running });
    case 'session-recovered':
      // Where each session has an event log of its own, what follows is in that of the new one.
      return event.by === 'new' && event.newSessionId !== before.sessionId
        ? inLife(before, { idlePhase: 'closed' })
        : {};
    case 'session-end':
      return inLife(before, {
        idlePhase: event.reason === 'not-opened' ? 'failed' : 'closed',
        session: event.reason === 'closed' ? 'closed' : 'ended',
      });
    case 'turn-start':
      return { ...withFirstPrompt(before, event.prompt), lastTurn: toTurn(before, event, event) };
    case 'turn-timeout':
      return inTurn(before, event.turnId, { reached: event.limit });
    case 'turn-cancel':
      return inTurn(before, event.turnId, { cancel: event.step });
    case 'turn-end':
      return inTurn(before, event.turnId, toTurnEnd(event, event));
    case 'permission-request':
    case 'elicitation-request':
      return { questions: [...before.questions, toQuestion(event, event)] };
    case 'permission':
    case 'elicitation':
      return {
        questions: before.questions.filter(({ requestId }) => requestId !== event.requestId),
        ...(event.by === 'nobody' && inTurn(before, before.lastTurn?.turnId, { wasUnanswered: true })),
      };
    case 'interruption':
      return {
        ...inLife(before, {
          idlePhase: 'closed',
          process: noProcess,
          ...(before.agentLife.session === 'open' && { session: 'ended' }),
        }),
        ...inTurn(before, before.lastTurn?.turnId, { state: 'unknown' }),
        questions: [],
      };
    case 'settings':
    case 'steering-request':
    case 'steering':
    case 'aap':
    case 'changes':
    case 'changes-undone':
    case 'changes-redone':
    case 'hunks-kept':
    case 'hunks-reverted':
    case 'changes-committed':
    case 'file-write':
    case 'terminal-start':
    case 'terminal-end':
    case 'network':
    case 'diagnostic':
    case 'omission':
    case 'unknown':
      return {};
  }
}

const running = { process: { state: 'running' } } as const;
const noProcess = { state: 'none' } as const;

function toAgent({
  agent: name,
  info,
  protocolVersion,
  capabilities,
  steering,
}: AgentStartEvent): IntroducedAgent {
  return {
    name,
    protocolVersion,
    capabilities,
    ...(info !== undefined && { info }),
    ...(steering === true && { steering }),
  };
}

function afterOpening(before: SessionFacts, event: SessionEvent & EventStamp): Changes {
  const { sessionId, cwd, additionalDirectories = [], sandbox, seq: openedBy } = event;
  const life = inLife(before, { idlePhase: 'starting', session: 'open', openedBy });
  return { ...life, sessionId, cwd, additionalDirectories, sandbox };
}

function inLife({ agentLife }: SessionFacts, changes: Partial<AgentLife>): Changes {
  // What was closed because the agent failed stays failed.
  const staysFailed = changes.idlePhase === 'closed' && agentLife.idlePhase === 'failed';
  return { agentLife: { ...agentLife, ...changes, ...(staysFailed && { idlePhase: 'failed' }) } };
}

function toTurn(
  before: SessionFacts,
  { turnId, promptId }: TurnStartEvent,
  { time: startedAt }: EventStamp,
): TurnState {
  const number = turnCount(before) + 1;
  return { turnId, number, ...(promptId !== undefined && { promptId }), startedAt, state: 'running' };
}

function toTurnEnd(event: TurnEndEvent, { time: endedAt }: EventStamp): Partial<TurnState> {
  return {
    state: 'ended',
    endedAt,
    ...('stopReason' in event
      ? { stopReason: event.rawStopReason ?? event.stopReason }
      : { error: event.error }),
    ...('usage' in event && { usage: event.usage }),
  };
}

/** The running turn with some fields changed, if it is that one. */
function inTurn(before: SessionFacts, turnId: string | undefined, fields: Partial<TurnState>): Changes {
  const turn = runningTurn(before);
  return turn === undefined || turn.turnId !== turnId ? {} : { lastTurn: { ...turn, ...fields } };
}

function toQuestion(
  event: PermissionRequestEvent | ElicitationRequestEvent,
  { time }: EventStamp,
): OpenQuestion {
  const { subagent } = event;
  const asked = { time, ...(subagent !== undefined && { subagent }) };
  if (event.type === 'elicitation-request') {
    const { requestId, message, mode } = event;
    return { kind: 'elicitation', ...asked, requestId, message, mode };
  }
  const { requestId, toolCall, options, opaque } = event;
  const { toolCallId } = toolCall;
  return {
    kind: 'permission',
    ...asked,
    toolCallId,
    requestId,
    options,
    ...(opaque === true && { opaque }),
  };
}

/** Reads updates by their tags, because validating each one would take most of the time. */
function afterUpdate({ firstPrompt }: SessionFacts, { update, seq }: LoggedUpdate & EventStamp): Changes {
  if (!isTitling(update)) return {};
  if (update.sessionUpdate === 'session_info_update') {
    const { title } = update;
    if (typeof title === 'string') return { title };
    return title === null ? { title: '' } : {};
  }
  const isOther = firstPrompt !== undefined && firstPrompt.lastChunk !== seq - 1;
  if (isOther && firstPrompt.text.trim() !== '') return {};
  const { content } = update;
  const text = isObject(content) && typeof content['text'] === 'string' ? content['text'] : '';
  return { firstPrompt: toFirstPrompt(isOther ? text : `${firstPrompt?.text ?? ''}${text}`, seq) };
}

/** Whether an update may change the session's title; no other update changes facts. Updates of sub-agents never do. */
export function mayTitle({ update, subagent }: LoggedUpdate): boolean {
  return subagent === undefined && isTitling(update);
}

function isTitling(update: unknown): update is TitlingUpdate {
  const kind = isObject(update) ? update['sessionUpdate'] : undefined;
  return kind === 'session_info_update' || kind === 'user_message_chunk';
}

interface TitlingUpdate {
  readonly sessionUpdate: 'session_info_update' | 'user_message_chunk';
  readonly title?: unknown;
  readonly content?: unknown;
}

/** The first prompt with text. */
function withFirstPrompt({ firstPrompt }: SessionFacts, prompt: readonly ContentBlock[]): Changes {
  if (firstPrompt !== undefined && firstPrompt.text.trim() !== '') return {};
  const text = prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return { firstPrompt: toFirstPrompt(text) };
}

function toFirstPrompt(text: string, lastChunk?: number): FirstPrompt {
  return { text: text.slice(0, firstPromptLimit), ...(lastChunk !== undefined && { lastChunk }) };
}

/** Characters of the first prompt that are stored for the title. */
const firstPromptLimit = 320;

function phaseOf({ agentLife: { idlePhase }, lastTurn, questions }: SessionFacts): SessionPhase {
  if (idlePhase !== 'ready' || lastTurn?.state !== 'running') return idlePhase;
  if (lastTurn.cancel !== undefined) return 'stopping';
  return questions.length > 0 ? 'waiting' : 'running';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
