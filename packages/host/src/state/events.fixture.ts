import fc from 'fast-check';
import type { LoggedEntry, LoggedEvent } from '../event/logged-event.ts';
import { parseLoggedEvent } from '../event/parse-logged-event.ts';
import { reduce } from './reduce.ts';
import { emptyState, type SessionState } from './session-state.ts';

/** Entries as events, numbered from the one behind `after`. */
export function numbered(entries: readonly LoggedEntry[], after = 0): readonly LoggedEvent[] {
  return entries.map((entry, index) => ({ seq: after + index + 1, time: 1000 + after + index, ...entry }));
}

/** The state of these events. */
export function viewOf(events: readonly LoggedEvent[], before: SessionState = emptyState): SessionState {
  return events.reduce(reduce, before);
}

/** An update, as an event log keeps it. */
export function update(sessionUpdate: string, fields: object = {}): LoggedEntry {
  return { type: 'update', update: { sessionUpdate, ...fields } };
}

/** A piece of a message, a thought or a prompt. */
export function say(role: 'user' | 'agent' | 'thought', text: string, messageId?: string): LoggedEntry {
  const kind = role === 'thought' ? 'agent_thought_chunk' : `${role}_message_chunk`;
  return update(kind, { content: { type: 'text', text }, ...(messageId !== undefined && { messageId }) });
}

/** The beginning of every session. */
export const opening: readonly LoggedEntry[] = [
  { type: 'journal-start', key: 'key', agent: 'test', cwd: '/project', program: 'test 1' },
  { type: 'agent-start', agent: 'test', protocolVersion: 1, capabilities: {} },
  { type: 'session', sessionId: 's', cwd: '/project', origin: 'new' },
  { type: 'session-ready', sessionId: 's' },
];

const id = fc.constantFrom('a', 'b', 'c');
const word = fc.constantFrom('I', 'see', ' ', 'I see', '', 'yes', 'ä');
const block = fc.record({ type: fc.constant('text'), text: word });
const status = fc.constantFrom('pending', 'in_progress', 'completed', 'failed');

/** Updates that an agent may send, some of them broken. */
const anyUpdate: fc.Arbitrary<unknown> = fc.oneof(
  fc.record(
    {
      sessionUpdate: fc.constantFrom('user_message_chunk', 'agent_message_chunk', 'agent_thought_chunk'),
      content: fc.oneof(
        block,
        fc.record({ type: fc.constant('image'), data: id, mimeType: fc.constant('image/png') }),
      ),
      messageId: id,
    },
    { requiredKeys: ['sessionUpdate', 'content'] },
  ),
  fc.record({ sessionUpdate: fc.constant('tool_call'), toolCallId: id, title: word, status }),
  fc.record(
    { sessionUpdate: fc.constant('tool_call_update'), toolCallId: id, status, rawOutput: fc.jsonValue() },
    { requiredKeys: ['sessionUpdate', 'toolCallId'] },
  ),
  fc.record({ sessionUpdate: fc.constant('usage_update'), used: fc.nat(), size: fc.nat() }),
  fc.record({ sessionUpdate: fc.constant('plan'), entries: fc.constant([]) }),
  fc.record({
    sessionUpdate: fc.constant('notice'),
    severity: fc.constant('info'),
    title: fc.constantFrom('x', 'y'),
  }),
  fc.record({
    sessionUpdate: fc.constant('compaction_update'),
    compactionId: id,
    status: fc.constantFrom('in_progress', 'completed'),
  }),
  fc.record({ sessionUpdate: fc.constant('compaction_summary_chunk'), compactionId: id, content: block }),
  fc.record({ sessionUpdate: fc.constant('session_info_update'), title: fc.option(word) }),
  fc.record({ sessionUpdate: word }),
  fc.jsonValue(),
);

const options = fc.constant([{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }]);

/** Any events, in any order: those that are none are left out. */
export const anyEvents: fc.Arbitrary<readonly LoggedEvent[]> = fc
  .array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          type: fc.constant('update'),
          update: anyUpdate,
          replay: fc.constantFrom(undefined, true),
        }),
      },
      fc.constantFrom(...opening),
      fc.record({
        type: fc.constant('session'),
        sessionId: id,
        cwd: id,
        origin: fc.constantFrom('new', 'loaded', 'resumed'),
      }),
      fc.record({
        type: fc.constant('session-end'),
        sessionId: id,
        reason: fc.constantFrom('closed', 'agent-ended', 'not-opened'),
      }),
      fc.record({
        type: fc.constant('turn-start'),
        sessionId: id,
        turnId: id,
        prompt: fc.array(block, { maxLength: 2 }),
      }),
      fc.record({
        type: fc.constant('turn-cancel'),
        sessionId: id,
        turnId: id,
        step: fc.constantFrom('asked', 'agent-ended'),
      }),
      fc.record(
        {
          type: fc.constant('turn-end'),
          sessionId: id,
          turnId: id,
          stopReason: fc.constant('end_turn'),
          usage: fc.jsonValue(),
        },
        { requiredKeys: ['type', 'turnId', 'stopReason'] },
      ),
      fc.record({
        type: fc.constant('permission-request'),
        requestId: id,
        toolCall: fc.record({ toolCallId: id }),
        options,
      }),
      fc.record({
        type: fc.constant('permission'),
        requestId: id,
        toolCallId: id,
        decision: id,
        by: id,
        reason: id,
        options,
      }),
      fc.record({
        type: fc.constant('elicitation-request'),
        requestId: id,
        message: word,
        mode: fc.constant('form'),
      }),
      fc.record({
        type: fc.constant('elicitation'),
        requestId: id,
        message: word,
        mode: fc.constant('form'),
        action: id,
        by: id,
      }),
      fc.record({
        type: fc.constant('terminal-start'),
        terminalId: id,
        toolCallId: id,
        command: word,
        cwd: id,
      }),
      fc.record({ type: fc.constant('terminal-end'), terminalId: id, output: word, truncated: fc.boolean() }),
      fc.record({ type: fc.constant('interruption'), lostBytes: fc.nat(1), damagedLines: fc.nat(1) }),
      fc.record({ type: fc.constant('agent-end'), expected: fc.boolean() }),
      fc.record({ type: word }),
    ),
    { maxLength: 60 },
  )
  .map((entries) =>
    entries.flatMap(
      (entry, index) => parseLoggedEvent({ seq: index + 1, time: 1000 + index, ...entry }) ?? [],
    ),
  );
