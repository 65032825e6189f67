import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, valueAt } from '@parley/wire';
import type { AgentRequirement } from '../agent-requirement.ts';
import { demand, requireDeclared } from '../check-error.ts';
import { textPrompt } from '../check-kit.ts';
import { declares } from '../conversation.ts';
import { specification } from '../requirement.ts';

const source = specification('session-setup');

/** Requirements for opening sessions. */
export const session: readonly AgentRequirement[] = [
  {
    id: 'ACP-SESSION-001',
    level: 'required',
    rule: 'session/new returns the id of the session.',
    source,
    needs: 'initialize',
    async run(kit) {
      const { agent } = await kit.open();
      await kit.openSession(agent);
    },
  },
  {
    id: 'ACP-SESSION-002',
    level: 'required',
    rule: 'Each session has an id of its own.',
    source,
    needs: 'session',
    async run(kit) {
      const { agent } = await kit.open();
      const [one, two] = [await kit.openSession(agent), await kit.openSession(agent)];
      demand(one.sessionId !== two.sessionId, `two sessions have the id ${one.sessionId}`);
    },
  },
  {
    id: 'ACP-SESSION-101',
    level: 'recommended',
    rule: 'session/new without its required params is answered with the error -32602.',
    source: specification('error'),
    needs: 'session',
    async run(kit) {
      const { agent } = await kit.open();
      const { message } = await agent.ask('session/new', {});
      demand(valueAt(message, 'error', 'code') === -32_602, 'session/new without cwd was answered otherwise');
    },
  },
  {
    id: 'ACP-SESSION-102',
    level: 'recommended',
    rule: 'session/new with a relative cwd is answered with an error.',
    source,
    needs: 'session',
    async run(kit) {
      const { agent } = await kit.open();
      const { message } = await agent.ask('session/new', { cwd: 'parley-check', mcpServers: [] });
      demand(isJsonObject(message['error']), 'the working directory "parley-check" was accepted');
    },
  },
  {
    id: 'ACP-SESSION-103',
    level: 'recommended',
    rule: 'The agent starts the MCP servers of a session.',
    source,
    needs: 'turn',
    isAlone: true,
    async run(kit) {
      const { agent } = await kit.open();
      const mark = join(await kit.folder(), 'started');
      const mcpServers = [
        { name: 'parley-check', command: process.execPath, args: ['-e', mcpServer, mark], env: [] },
      ];
      const opened = await kit.openSession(agent, { mcpServers });
      await agent.request('session/prompt', textPrompt(opened, kit.prompts.plain));
      const isStarted = await access(mark).then(
        () => true,
        () => false,
      );
      demand(isStarted, 'the server of the session received no initialize until the end of the first turn');
    },
  },
  {
    id: 'ACP-ADDDIRS-001',
    level: 'required',
    rule: 'A session can have additional directories, if the agent declares them.',
    source,
    needs: 'turn',
    async run(kit) {
      const { agent, capabilities } = await kit.open();
      const isDeclared = declares(capabilities, 'additionalDirectories');
      requireDeclared(isDeclared, 'sessionCapabilities.additionalDirectories');
      const opened = await kit.openSession(agent, { additionalDirectories: [await kit.folder()] });
      await agent.request('session/prompt', textPrompt(opened, kit.prompts.plain));
    },
  },
];

/** An MCP server without tools, which makes a file when it is initialized. */
const mcpServer = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') require('node:fs').writeFileSync(process.argv[1], '');
  if (id === undefined) return;
  const serverInfo = { name: 'parley-check', version: '1' };
  const answer = method === 'initialize'
    ? { result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } }
    : method === 'tools/list' ? { result: { tools: [] } }
    : method === 'ping' ? { result: {} }
    : { error: { code: -32601, message: 'Method not found' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});`;
