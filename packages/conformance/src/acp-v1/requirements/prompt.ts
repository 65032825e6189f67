import { valueAt } from '@parley/wire';
import type { AgentProcess } from '../agent-process.ts';
import { demand, requireDeclared } from '../check-error.ts';
import { textPrompt } from '../check-kit.ts';
import type { CheckKit, CheckedSession } from '../check-kit.ts';
import { shown } from '../json-value.ts';
import { faultOf } from '../judge-message.ts';
import type { AgentRequirement } from '../requirement.ts';

/** Prompt turns. */
export const prompt: readonly AgentRequirement[] = [
  {
    id: 'ACP-PROMPT-001',
    tier: 'mandatory',
    title: 'a prompt ends with a stop reason of the protocol',
    async run(kit) {
      const { agent, session } = await openOne(kit);
      demandStopReason(await agent.request('session/prompt', textPrompt(session, kit.prompts.plain)));
    },
  },
  {
    id: 'ACP-PROMPT-002',
    tier: 'mandatory',
    title: 'the updates of a turn are valid, and of its session',
    async run(kit) {
      const { agent, session } = await openOne(kit);
      await agent.request('session/prompt', textPrompt(session, kit.prompts.work));
      demand(agent.updates.length > 0, 'a turn has not a single update');
      for (const message of agent.messages.filter(({ method }) => method === 'session/update')) {
        const fault = faultOf(message, undefined);
        demand(fault === undefined, String(fault));
        const sessionId = valueAt(message['params'], 'sessionId');
        demand(sessionId === session.sessionId, `an update is of the session ${shown(sessionId)}`);
      }
    },
  },
  {
    id: 'ACP-PROMPT-003',
    tier: 'advisory',
    title: 'a prompt may hold a link to a resource',
    run: (kit) => promptWith(kit, { type: 'resource_link', uri: 'file:///notes.txt', name: 'notes.txt' }),
  },
  {
    id: 'ACP-PROMPTCAP-001',
    tier: 'capability',
    title: 'a prompt may hold a picture',
    run: (kit) => promptWith(kit, { type: 'image', mimeType: 'image/png', data: onePixel }, 'image'),
  },
  {
    id: 'ACP-PROMPTCAP-002',
    tier: 'capability',
    title: 'a prompt may hold sound',
    run: (kit) => promptWith(kit, { type: 'audio', mimeType: 'audio/wav', data: shortSilence }, 'audio'),
  },
  {
    id: 'ACP-PROMPTCAP-003',
    tier: 'capability',
    title: 'a prompt may hold a resource',
    run: (kit) => {
      const resource = { uri: 'file:///notes.txt', mimeType: 'text/plain', text: 'A short note.\n' };
      return promptWith(kit, { type: 'resource', resource }, 'embeddedContext');
    },
  },
];

/** Fails where the result of a prompt has no stop reason of the protocol. */
function demandStopReason(result: unknown): void {
  const reason = valueAt(result, 'stopReason');
  demand(stopReasons.has(reason), `the stop reason is ${shown(reason)}`);
}

const stopReasons: ReadonlySet<unknown> = new Set([
  'end_turn',
  'max_tokens',
  'max_turn_requests',
  'refusal',
  'cancelled',
]);

/** An agent with one session. */
export async function openOne(kit: CheckKit): Promise<{
  readonly agent: AgentProcess;
  readonly capabilities: unknown;
  readonly session: CheckedSession;
}> {
  const { agent, capabilities } = await kit.open();
  return { agent, capabilities, session: await kit.openSession(agent) };
}

async function promptWith(kit: CheckKit, block: object, capability?: string): Promise<void> {
  const { agent, capabilities } = await kit.open();
  if (capability !== undefined) {
    const isDeclared = valueAt(capabilities, 'promptCapabilities', capability) === true;
    requireDeclared(isDeclared, `promptCapabilities.${capability}`);
  }
  const { sessionId } = await kit.openSession(agent);
  const text = { type: 'text', text: kit.prompts.plain };
  demandStopReason(await agent.request('session/prompt', { sessionId, prompt: [text, block] }));
}

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** Four samples of 8 bits at 8 kHz. */
const shortSilence = 'UklGRigAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQQAAACAgICA';
