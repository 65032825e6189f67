import { demand, requireDeclared } from '../check-error.ts';
import { textPrompt } from '../check-kit.ts';
import { declares } from '../conversation.ts';
import type { AgentRequirement } from '../requirement.ts';

/** How a session is begun. */
export const session: readonly AgentRequirement[] = [
  {
    id: 'ACP-SESSION-001',
    tier: 'mandatory',
    title: 'session/new gives an id',
    async run(kit) {
      const { agent } = await kit.open();
      await kit.openSession(agent);
    },
  },
  {
    id: 'ACP-SESSION-002',
    tier: 'mandatory',
    title: 'sessions have ids of their own',
    async run(kit) {
      const { agent } = await kit.open();
      const [one, two] = [await kit.openSession(agent), await kit.openSession(agent)];
      demand(one.sessionId !== two.sessionId, `two sessions have the id ${one.sessionId}`);
    },
  },
  {
    id: 'ACP-ADDDIRS-001',
    tier: 'capability',
    title: 'a session takes a further directory',
    async run(kit) {
      const { agent, capabilities } = await kit.open();
      requireDeclared(
        declares(capabilities, 'additionalDirectories'),
        'sessionCapabilities.additionalDirectories',
      );
      const opened = await kit.openSession(agent, { additionalDirectories: [await kit.folder()] });
      await agent.request('session/prompt', textPrompt(opened, kit.prompts.plain));
    },
  },
];
