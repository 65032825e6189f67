import { isJsonObject, valueAt } from '@parley/wire';
import { demand } from '../check-error.ts';
import { initializeParams } from '../check-kit.ts';
import { shown } from '../json-value.ts';
import { faultOf } from '../judge-message.ts';
import type { AgentRequirement } from '../requirement.ts';

/** How both sides introduce themselves. */
export const initialize: readonly AgentRequirement[] = [
  {
    id: 'ACP-INIT-001',
    tier: 'mandatory',
    title: 'initialize succeeds, and its result is what the schema says',
    async run(kit) {
      const agent = await kit.start();
      const { message, ...request } = await agent.ask('initialize', initializeParams());
      demand(isJsonObject(message['result']), `initialize was answered ${shown(message)}`);
      const fault = faultOf(message, request);
      demand(fault === undefined, String(fault));
    },
  },
  {
    id: 'ACP-INIT-002',
    tier: 'mandatory',
    title: 'a client that asks for version 1 gets version 1',
    async run(kit) {
      const { initialized } = await kit.open();
      const version = valueAt(initialized, 'protocolVersion');
      demand(version === 1, `version 1 was answered with ${shown(version)}`);
    },
  },
  {
    id: 'ACP-INIT-003',
    tier: 'mandatory',
    title: 'an unknown version is answered with one that the agent supports, and no error',
    async run(kit) {
      const { initialized } = await kit.open();
      const first = Number(valueAt(initialized, 'protocolVersion'));
      const agent = await kit.start();
      // Version 2 names these fields in another way: who reads either finds them.
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
    tier: 'advisory',
    title: 'the agent says its name and version',
    async run(kit) {
      const { initialized } = await kit.open();
      for (const key of ['name', 'version']) {
        const value = valueAt(initialized, 'agentInfo', key);
        demand(typeof value === 'string' && value !== '', `agentInfo.${key} is ${shown(value)}`);
      }
    },
  },
];
