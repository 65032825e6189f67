import { isJsonObject, valueAt } from '@parley/wire';
import type { AgentRequirement } from '../agent-requirement.ts';
import { demand, requireDeclared, requireOffered } from '../check-error.ts';
import { textPrompt } from '../check-kit.ts';
import { authRequired } from '../checked-agent.ts';
import { listAt, shown } from '../json-value.ts';
import { specification } from '../requirement.ts';

const source = specification('authentication');

/** Signing in and out. */
export const authentication: readonly AgentRequirement[] = [
  {
    id: 'ACP-AUTH-001',
    level: 'recommended',
    rule: 'Each authentication method has an id of its own.',
    source,
    needs: 'initialize',
    async run(kit) {
      const { initialized } = await kit.open();
      const ids = listAt(initialized, 'authMethods').map((method) => valueAt(method, 'id'));
      demand(new Set(ids).size === ids.length, `authMethods share an id: ${shown(ids)}`);
    },
  },
  {
    id: 'ACP-AUTH-002',
    level: 'required',
    rule: 'A client that did not declare auth.terminal gets no authentication method for a terminal.',
    source,
    needs: 'initialize',
    async run(kit) {
      const { initialized } = await kit.open();
      const method = listAt(initialized, 'authMethods').find((each) => valueAt(each, 'type') === 'terminal');
      demand(method === undefined, `authMethods has ${shown(method)}`);
    },
  },
  {
    id: 'ACP-AUTH-003',
    level: 'required',
    rule: 'After authenticate, a session can be opened.',
    source,
    needs: 'initialize',
    async run(kit) {
      requireOffered(kit.authMethodId !== undefined, 'no method was chosen: use --auth-method');
      const { agent } = await kit.open();
      await kit.openSession(agent);
    },
  },
  {
    id: 'ACP-AUTH-004',
    level: 'required',
    rule: 'logout succeeds, if the agent declares auth.logout.',
    source,
    needs: 'initialize',
    isAlone: true,
    async run(kit) {
      const { agent, capabilities } = await kit.open();
      requireDeclared(isJsonObject(valueAt(capabilities, 'auth', 'logout')), 'auth.logout');
      requireOffered(kit.allowLogout, 'logout was not allowed: use --allow-logout');
      await agent.request('logout', {});
    },
  },
  {
    id: 'ACP-AUTH-005',
    level: 'recommended',
    rule: 'An agent without authentication methods never asks for authentication.',
    source,
    needs: 'initialize',
    async run(kit) {
      const { agent, initialized } = await kit.open();
      const methods = listAt(initialized, 'authMethods');
      requireOffered(methods.length === 0, 'the agent has authentication methods');
      const opened = await agent.ask('session/new', { cwd: await kit.folder(), mcpServers: [] });
      const sessionId = valueAt(opened.message, 'result', 'sessionId');
      const answers = [opened];
      if (typeof sessionId === 'string') {
        answers.push(await agent.ask('session/prompt', textPrompt({ sessionId }, kit.prompts.plain)));
      }
      const asking = answers.find(({ message }) => valueAt(message, 'error', 'code') === authRequired);
      demand(asking === undefined, `${asking?.method} was answered with the error -32000`);
    },
  },
  {
    id: 'ACP-AUTH-101',
    level: 'recommended',
    rule: 'authenticate with a method that the agent did not name is answered with an error.',
    source,
    needs: 'initialize',
    async run(kit) {
      const { agent } = await kit.open();
      const { message } = await agent.ask('authenticate', { methodId: 'parley-check-unknown' });
      demand(isJsonObject(message['error']), 'the unknown method was accepted');
    },
  },
];
