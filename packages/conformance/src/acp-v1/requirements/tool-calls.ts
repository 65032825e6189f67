import { isAbsolute } from 'node:path';
import { valueAt } from '@parley/wire';
import type { AgentRequirement } from '../agent-requirement.ts';
import { demand, requireOffered } from '../check-error.ts';
import { type OrdinaryConversation, updatesOf } from '../conversation.ts';
import { listAt, shown } from '../json-value.ts';
import { specification } from '../requirement.ts';

const source = specification('tool-calls');

/** Tool calls, permission requests, and the services of a client that has them. */
export const toolCalls: readonly AgentRequirement[] = [
  {
    id: 'ACP-TOOL-101',
    level: 'required',
    rule: 'A tool call is announced once, with an id of its own in its session.',
    source,
    needs: 'turn',
    judge(conversation) {
      const seen = new Set<unknown>();
      for (const received of turnUpdates(conversation, 'tool_call')) {
        const id = valueAt(received, 'toolCallId');
        demand(!seen.has(id), `the tool call ${shown(id)} was announced twice`, { received });
        seen.add(id);
      }
    },
  },
  {
    id: 'ACP-TOOL-102',
    level: 'recommended',
    rule: 'A tool_call_update names a tool call that was announced before.',
    source,
    needs: 'turn',
    judge(conversation) {
      const seen = new Set<unknown>();
      for (const received of turnUpdates(conversation, 'tool_call', 'tool_call_update')) {
        const id = valueAt(received, 'toolCallId');
        if (valueAt(received, 'sessionUpdate') === 'tool_call') seen.add(id);
        else demand(seen.has(id), `the tool call ${shown(id)} was not announced`, { received });
      }
    },
  },
  {
    id: 'ACP-TOOL-103',
    level: 'required',
    rule: 'The paths of tool calls are absolute, in locations and in diffs.',
    source: specification('overview'),
    needs: 'turn',
    judge(conversation) {
      for (const received of turnUpdates(conversation, 'tool_call', 'tool_call_update')) {
        const diffs = listAt(received, 'content').filter((each) => valueAt(each, 'type') === 'diff');
        for (const place of [...listAt(received, 'locations'), ...diffs]) {
          const path = valueAt(place, 'path');
          const isRight = typeof path === 'string' && isAbsolute(path);
          demand(isRight, `the path ${shown(path)} is not absolute`, { received });
        }
      }
    },
  },
  {
    id: 'ACP-TOOL-104',
    level: 'recommended',
    rule: 'Each tool call is completed or failed when its turn ends.',
    source,
    needs: 'turn',
    judge(conversation) {
      const states = new Map<unknown, unknown>();
      for (const update of turnUpdates(conversation, 'tool_call', 'tool_call_update')) {
        const status = valueAt(update, 'status');
        if (typeof status === 'string') states.set(valueAt(update, 'toolCallId'), status);
      }
      const open = [...states].find(([, status]) => status !== 'completed' && status !== 'failed');
      demand(open === undefined, `a tool call was left ${shown(open?.[1])}`);
    },
  },
  {
    id: 'ACP-PERM-101',
    level: 'required',
    rule: 'A permission request names an open session, a tool call, and options with ids of their own.',
    source,
    needs: 'turn',
    judge({ agent, sessionIds }) {
      const asked = agent.messages.filter(({ method }) => method === 'session/request_permission');
      requireOffered(asked.length > 0, 'the agent asked for no permission');
      for (const received of asked) {
        const { params } = received;
        const ids = listAt(params, 'options').map((option) => valueAt(option, 'optionId'));
        demand(ids.length > 0, 'a permission request has no options', { received });
        demand(new Set(ids).size === ids.length, `options share an id: ${shown(ids)}`, { received });
        const hasCall = typeof valueAt(params, 'toolCall', 'toolCallId') === 'string';
        demand(hasCall, 'a permission request names no tool call', { received });
        demand(sessionIds.has(valueAt(params, 'sessionId')), 'it names another session', { received });
      }
    },
  },
  {
    id: 'ACP-PERM-102',
    level: 'required',
    rule: 'A permission request offers a way to reject.',
    source,
    needs: 'turn',
    judge({ agent }) {
      const asked = agent.messages.filter(({ method }) => method === 'session/request_permission');
      requireOffered(asked.length > 0, 'the agent asked for no permission');
      for (const received of asked) {
        const kinds = listAt(received['params'], 'options').map((option) => String(valueAt(option, 'kind')));
        const canReject = kinds.some((kind) => kind.startsWith('reject'));
        demand(canReject, `the kinds are ${shown(kinds)}`, { received });
      }
    },
  },
  {
    id: 'ACP-FS-101',
    level: 'required',
    rule: 'fs/* requests name an open session and an absolute path, and lines begin at 1.',
    source: specification('file-system'),
    needs: 'turn',
    client: 'full',
    judge({ agent, sessionIds }) {
      const asked = agent.messages.filter(({ method }) => String(method).startsWith('fs/'));
      requireOffered(asked.length > 0, 'the agent does not use the files of its client');
      for (const received of asked) {
        const path = valueAt(received['params'], 'path');
        const isRight = typeof path === 'string' && isAbsolute(path);
        demand(isRight, `the path ${shown(path)} is not absolute`, { received });
        demand(valueAt(received['params'], 'line') !== 0, 'the line is 0', { received });
        const sessionId = valueAt(received['params'], 'sessionId');
        demand(sessionIds.has(sessionId), `it names the session ${shown(sessionId)}`, { received });
      }
    },
  },
  {
    id: 'ACP-TERMINAL-101',
    level: 'required',
    rule: 'Each terminal is released when it is no longer needed, and not used after that.',
    source: specification('terminals'),
    needs: 'turn',
    client: 'full',
    judge({ agent }) {
      const asked = agent.messages.filter(({ method }) => String(method).startsWith('terminal/'));
      requireOffered(asked.length > 0, 'the agent does not use the terminals of its client');
      const created = asked.filter(({ method }) => method === 'terminal/create').length;
      const released = new Set<unknown>();
      for (const received of asked) {
        const id = valueAt(received['params'], 'terminalId');
        demand(!released.has(id), `the terminal ${shown(id)} was used after its release`, { received });
        if (received['method'] === 'terminal/release') released.add(id);
      }
      demand(released.size === created, `${released.size} of ${created} terminals were released`);
    },
  },
  {
    id: 'ACP-COMMANDS-101',
    level: 'recommended',
    rule: 'Each slash command has a name of its own, without the slash.',
    source: specification('slash-commands'),
    needs: 'session',
    judge(conversation) {
      const updates = updatesOf(conversation, 'available_commands_update');
      requireOffered(updates.length > 0, 'the agent has no slash commands');
      for (const received of updates) {
        const names = listAt(received, 'availableCommands').map((each) => valueAt(each, 'name'));
        const slash = names.find((name) => String(name).startsWith('/'));
        demand(slash === undefined, `a command is named ${shown(slash)}`, { received });
        demand(new Set(names).size === names.length, 'two commands share a name', { received });
      }
    },
  },
];

/** The updates of the turns, without those that are replayed later. */
function turnUpdates(conversation: OrdinaryConversation, ...kinds: readonly string[]): readonly unknown[] {
  const { agent } = conversation;
  const prompts = new Set<unknown>(
    agent.sent.filter(({ method }) => method === 'session/prompt').map(({ id }) => id),
  );
  const lastAnswer = agent.messages.findLastIndex(
    ({ id, method }) => method === undefined && prompts.has(id),
  );
  const updates = agent.messages
    .slice(0, lastAnswer + 1)
    .filter(({ method }) => method === 'session/update')
    .map(({ params }) => valueAt(params, 'update'))
    .filter((update) => kinds.includes(String(valueAt(update, 'sessionUpdate'))));
  requireOffered(updates.length > 0, 'the agent made no tool call');
  return updates;
}
