import { type JsonObject, valueAt } from '@parley/wire';
import type { AgentRequirement } from '../agent-requirement.ts';
import { demand, requireOffered } from '../check-error.ts';
import type { OrdinaryConversation } from '../conversation.ts';
import { listAt, shown } from '../json-value.ts';
import { specification } from '../requirement.ts';

const source = specification('subagents');

/** What an agent with sub-agents does for a client that declares them. */
export const subagents: readonly AgentRequirement[] = [
  {
    id: 'ACP-SUBAGENT-101',
    level: 'required',
    rule: 'A sub-agent is announced before anything that names it.',
    source,
    needs: 'turn',
    client: 'subagents',
    judge(conversation) {
      const known = new Set(conversation.sessionIds);
      requireAnnouncements(conversation);
      for (const received of conversation.agent.messages) {
        const { child } = announcementIn(received);
        const early = namesIn(received).find((id) => id !== child && !known.has(id));
        demand(early === undefined, `a message names the session ${shown(early)}`, { received });
        if (child !== undefined) known.add(child);
      }
    },
  },
  {
    id: 'ACP-SUBAGENT-102',
    level: 'required',
    rule: 'A sub-agent has one parent, and is neither its own parent nor a session of the client.',
    source,
    needs: 'turn',
    client: 'subagents',
    judge(conversation) {
      const parents = new Map<unknown, unknown>();
      for (const { received, parent, child } of requireAnnouncements(conversation)) {
        demand(child !== parent, 'a session announces itself', { received });
        demand(!conversation.sessionIds.has(child), 'it announces an open session', { received });
        const before = parents.get(child) ?? parent;
        demand(before === parent, 'a second session announces the same sub-agent', { received });
        parents.set(child, parent);
      }
    },
  },
  {
    id: 'ACP-SUBAGENT-103',
    level: 'recommended',
    rule: 'A sub-agent has a state, and a stop reason when it becomes idle.',
    source,
    needs: 'turn',
    client: 'subagents',
    judge(conversation) {
      const states = new Map<unknown, unknown>();
      for (const { received, child, update } of requireAnnouncements(conversation)) {
        const state = valueAt(update, 'state');
        states.set(child, state ?? states.get(child));
        const isSilent =
          valueAt(state, 'state') === 'idle' && typeof valueAt(state, 'stopReason') !== 'string';
        demand(!isSilent, 'a sub-agent is idle without a stop reason', { received });
      }
      const unknown = [...states].find(([, state]) => state === undefined);
      demand(unknown === undefined, `the sub-agent ${shown(unknown?.[0])} has no state`);
    },
  },
];

interface Announcement {
  readonly parent?: unknown;
  readonly child?: unknown;
  readonly update?: unknown;
}

/** The announcement of a sub-agent in a message; empty if there is none. */
function announcementIn({ method, params }: JsonObject): Announcement {
  const update = valueAt(params, 'update');
  if (method !== 'session/update' || valueAt(update, 'sessionUpdate') !== 'subagent_update') return {};
  return { parent: valueAt(params, 'sessionId'), child: valueAt(update, 'sessionId'), update };
}

function requireAnnouncements({
  agent,
}: OrdinaryConversation): readonly (Announcement & { readonly received: unknown })[] {
  const announcements = agent.messages.flatMap((received) => {
    const announcement = announcementIn(received);
    return announcement.child === undefined ? [] : [{ ...announcement, received }];
  });
  requireOffered(announcements.length > 0, 'the agent started no sub-agent');
  return announcements;
}

/** The sessions that a message names: as the one that it is of, in links, and as the two sides of a message. */
function namesIn({ method, params }: JsonObject): readonly unknown[] {
  if (method === undefined) return [];
  const update = valueAt(params, 'update');
  const links = listAt(update, 'content').filter((content) => valueAt(content, 'type') === 'session');
  return [
    valueAt(params, 'sessionId'),
    ...links.map((link) => valueAt(link, 'sessionId')),
    valueAt(update, 'senderSessionId'),
    valueAt(update, 'recipientSessionId'),
  ].filter((id) => typeof id === 'string');
}
