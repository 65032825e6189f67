import { isJsonObject, valueAt } from '@parley/wire';
import type { AgentRequirement } from '../agent-requirement.ts';
import { demand, requireDeclared } from '../check-error.ts';
import { type CheckKit, textPrompt } from '../check-kit.ts';
import { shown } from '../json-value.ts';
import { faultOf } from '../judge-message.ts';
import { specification } from '../requirement.ts';

const source = specification('prompt-turn');
const content = specification('content');

/** Prompt turns. */
export const prompt: readonly AgentRequirement[] = [
  {
    id: 'ACP-PROMPT-001',
    level: 'required',
    rule: 'A turn ends with a stop reason of the protocol.',
    source,
    needs: 'session',
    async run(kit) {
      const { agent, session } = await kit.openOne();
      demandStopReason(await agent.request('session/prompt', textPrompt(session, kit.prompts.plain)));
    },
  },
  {
    id: 'ACP-PROMPT-002',
    level: 'required',
    rule: 'The updates of a turn match the schema and name its session.',
    source,
    needs: 'turn',
    judge({ agent, sessionIds }) {
      demand(agent.updates.length > 0, 'the turns have no updates');
      for (const received of agent.messages.filter(({ method }) => method === 'session/update')) {
        const fault = faultOf(received, undefined);
        demand(fault === undefined, String(fault), { received });
        const sessionId = valueAt(received['params'], 'sessionId');
        demand(sessionIds.has(sessionId), `an update names the session ${shown(sessionId)}`, { received });
      }
    },
  },
  {
    id: 'ACP-PROMPT-003',
    level: 'recommended',
    rule: 'A prompt can contain a resource link.',
    source: specification('initialization'),
    needs: 'turn',
    run: (kit) => promptWith(kit, { type: 'resource_link', uri: 'file:///notes.txt', name: 'notes.txt' }),
  },
  {
    id: 'ACP-PROMPT-101',
    level: 'recommended',
    rule: 'A prompt that is not a list of content blocks is answered with an error.',
    source: specification('error'),
    needs: 'session',
    async run(kit) {
      const { agent, session } = await kit.openOne();
      const { message } = await agent.ask('session/prompt', { sessionId: session.sessionId, prompt: 5 });
      demand(isJsonObject(message['error']), 'the prompt 5 was answered with a result');
    },
  },
  {
    id: 'ACP-PROMPT-102',
    level: 'required',
    rule: 'A prompt of 200 KB in one line gets a response.',
    source: specification('transports'),
    needs: 'turn',
    async run(kit) {
      const { agent, session } = await kit.openOne();
      const long = `${kit.prompts.plain}\n${'parley-check '.repeat(16_000)}`;
      await agent.ask('session/prompt', textPrompt(session, long));
    },
  },
  {
    id: 'ACP-PROMPT-103',
    level: 'required',
    rule: 'Turns of two sessions at the same time both end, each with updates of its own session.',
    source,
    needs: 'turn',
    async run(kit) {
      const { agent } = await kit.open();
      const sessions = [await kit.openSession(agent), await kit.openSession(agent)];
      const turns = sessions.map((session) =>
        agent.send('session/prompt', textPrompt(session, kit.prompts.plain)),
      );
      for (const turn of turns) demandStopReason(agent.toResult(await agent.answerTo(turn)));
      for (const { sessionId } of sessions) {
        demand(agent.updatesOf(sessionId).length > 0, 'a turn has no update of its session');
      }
    },
  },
  {
    id: 'ACP-INFO-UNKNOWNSESSION-001',
    level: 'recommended',
    rule: 'A prompt for an unknown session is answered with the error -32002.',
    source: specification('error'),
    needs: 'session',
    async run(kit) {
      const { agent } = await kit.open();
      const { message } = await agent.ask(
        'session/prompt',
        textPrompt({ sessionId: 'parley-check-unknown' }, kit.prompts.plain),
      );
      demand(valueAt(message, 'error', 'code') === -32_002, 'the unknown session was answered otherwise');
    },
  },
  {
    id: 'ACP-PROMPTCAP-001',
    level: 'required',
    rule: 'A prompt can contain an image, if the agent declares promptCapabilities.image.',
    source: content,
    needs: 'turn',
    run: (kit) => promptWith(kit, { type: 'image', mimeType: 'image/png', data: onePixel }, 'image'),
  },
  {
    id: 'ACP-PROMPTCAP-002',
    level: 'required',
    rule: 'A prompt can contain audio, if the agent declares promptCapabilities.audio.',
    source: content,
    needs: 'turn',
    run: (kit) => promptWith(kit, { type: 'audio', mimeType: 'audio/wav', data: shortSilence }, 'audio'),
  },
  {
    id: 'ACP-PROMPTCAP-003',
    level: 'required',
    rule: 'A prompt can contain a resource, if the agent declares promptCapabilities.embeddedContext.',
    source: content,
    needs: 'turn',
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
