import { isJsonObject, valueAt } from '@parley/wire';
import { CheckError, demand } from '../check-error.ts';
import { textPrompt } from '../check-kit.ts';
import { listAt, shown } from '../json-value.ts';
import type { AgentRequirement } from '../requirement.ts';

const authRequired = -32_000;

/** Signing in and out. */
export const authentication: readonly AgentRequirement[] = [
  {
    id: 'ACP-AUTH-001',
    tier: 'advisory',
    title: 'ways to authenticate have ids of their own',
    async run(kit) {
      const { initialized } = await kit.open();
      const ids = listAt(initialized, 'authMethods').map((method) => valueAt(method, 'id'));
      demand(new Set(ids).size === ids.length, `authMethods share an id: ${shown(ids)}`);
    },
  },
  {
    id: 'ACP-AUTH-002',
    tier: 'mandatory',
    title: 'a client that did not declare it gets no way to authenticate in a terminal',
    async run(kit) {
      const { initialized } = await kit.open();
      const method = listAt(initialized, 'authMethods').find((each) => valueAt(each, 'type') === 'terminal');
      demand(method === undefined, `authMethods has ${shown(method)}`);
    },
  },
  {
    id: 'ACP-AUTH-003',
    tier: 'capability',
    title: 'after authenticate a session opens',
    async run(kit) {
      if (kit.authMethodId === undefined) {
        throw new CheckError('not-applicable', 'no way to authenticate was chosen');
      }
      const { agent } = await kit.open();
      await kit.openSession(agent);
    },
  },
  {
    id: 'ACP-AUTH-004',
    tier: 'capability',
    title: 'logout succeeds',
    async run(kit) {
      const { agent, capabilities } = await kit.open();
      if (!isJsonObject(valueAt(capabilities, 'auth', 'logout'))) {
        throw new CheckError('not-applicable', 'auth.logout is not declared');
      }
      if (!kit.allowLogout) throw new CheckError('not-applicable', 'logout was not allowed');
      await agent.request('logout', {});
    },
  },
  {
    id: 'ACP-AUTH-005',
    tier: 'advisory',
    title: 'an agent without a way to authenticate does not ask for it',
    async run(kit) {
      const { agent, initialized } = await kit.open();
      if (listAt(initialized, 'authMethods').length > 0) {
        throw new CheckError('not-applicable', 'the agent has ways to authenticate');
      }
      const opened = await agent.ask('session/new', { cwd: await kit.folder(), mcpServers: [] });
      const sessionId = valueAt(opened.message, 'result', 'sessionId');
      const answers = [opened];
      if (typeof sessionId === 'string') {
        answers.push(await agent.ask('session/prompt', textPrompt({ sessionId }, kit.prompts.plain)));
      }
      const asking = answers.find(({ message }) => valueAt(message, 'error', 'code') === authRequired);
      demand(asking === undefined, `${asking?.method} asks for authentication`);
    },
  },
];
