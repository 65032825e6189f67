import { isJsonObject, valueAt } from '@parley/wire';
import type { AgentRequirement } from '../agent-requirement.ts';
import { demand } from '../check-error.ts';
import { initializeParams } from '../client-services.ts';
import { shown } from '../json-value.ts';
import { faultOf } from '../judge-message.ts';
import { specification } from '../requirement.ts';

const source = specification('initialization');

/** How both sides introduce themselves. */
export const initialize: readonly AgentRequirement[] = [
  {
    id: 'ACP-INIT-001',
    level: 'required',
    rule: 'initialize succeeds, and its result matches the schema.',
    source,
    needs: 'start',
    isAlone: true,
    async run(kit) {
      const agent = await kit.start();
      const { message, ...request } = await agent.ask('initialize', initializeParams());
      demand(isJsonObject(message['result']), 'initialize has no result');
      const fault = faultOf(message, request);
      demand(fault === undefined, String(fault));
    },
  },
  {
    id: 'ACP-INIT-002',
    level: 'required',
    rule: 'A client that asks for version 1 gets version 1.',
    source,
    needs: 'initialize',
    isAlone: true,
    async run(kit) {
      const { initialized } = await kit.open();
      const version = valueAt(initialized, 'protocolVersion');
      demand(version === 1, `version 1 was answered with ${shown(version)}`);
    },
  },
  {
    id: 'ACP-INIT-003',
    level: 'required',
    rule: 'An unknown version is answered with a version that the agent supports, not with an error.',
    source,
    needs: 'initialize',
    isAlone: true,
    async run(kit) {
      const { initialized } = await kit.open();
      const first = Number(valueAt(initialized, 'protocolVersion'));
      const agent = await kit.start();
      // Version 2 names these fields in another way: an agent that reads either finds them.
      const both = {
        ...initializeParams(65_535),
        capabilities: {},
        info: { name: 'parley-check', version: '0.1.0' },
      };
      const version = valueAt(await agent.request('initialize', both), 'protocolVersion');
      demand(version !== 65_535, 'version 65535 was echoed');
      const isKnown = typeof version === 'number' && Number.isInteger(version) && version >= first;
      demand(isKnown, `version 65535 was answered with ${shown(version)}, version 1 with ${first}`);
    },
  },
  {
    id: 'ACP-INIT-004',
    level: 'recommended',
    rule: 'The agent names itself and its version in agentInfo.',
    source,
    needs: 'initialize',
    async run(kit) {
      const { initialized } = await kit.open();
      for (const key of ['name', 'version']) {
        const value = valueAt(initialized, 'agentInfo', key);
        demand(typeof value === 'string' && value !== '', `agentInfo.${key} is ${shown(value)}`);
      }
    },
  },
  {
    id: 'ACP-INIT-101',
    level: 'recommended',
    rule: 'A request before initialize is answered with the error -32600.',
    source: specification('error'),
    needs: 'initialize',
    isAlone: true,
    async run(kit) {
      const agent = await kit.start();
      const { message } = await agent.ask('session/new', { cwd: await kit.folder(), mcpServers: [] });
      demand(
        valueAt(message, 'error', 'code') === -32_600,
        'session/new before initialize was answered otherwise',
      );
    },
  },
  {
    id: 'ACP-INIT-102',
    level: 'recommended',
    rule: 'Capabilities of the client that the agent does not know are ignored.',
    source,
    needs: 'initialize',
    isAlone: true,
    async run(kit) {
      await kit.openAs({ parleyCheck: { deep: [1] }, fs: { parleyCheck: true } });
    },
  },
];
