import { createAgent } from '@parley/acp';
import { memoryPair } from '@parley/wire';
import { afterEach, expect, test, vi } from 'vitest';
import type { AgentSpec, AgentStart } from './agent-spec.ts';
import { launchAgent } from './launch-agent.ts';

const options = {
  clientInfo: { name: 'test', version: '1' },
  policy: { approve: { level: 'none', given: true }, rules: [] },
  onEvent: () => undefined,
} as const;

/** A spec of an agent in this process, and how it was started. */
function inProcess(spec: Partial<AgentSpec> = {}): {
  readonly spec: AgentSpec;
  readonly starts: AgentStart[];
  readonly declared: unknown[];
} {
  const starts: AgentStart[] = [];
  const declared: unknown[] = [];
  return {
    starts,
    declared,
    spec: {
      name: 'mine',
      ...spec,
      reach: {
        by: 'transport',
        connect: (start) => {
          starts.push(start);
          const [client, transport] = memoryPair();
          createAgent({
            info: { name: 'in-process', version: '1' },
            handlers: {
              initialize: ({ clientCapabilities }) => {
                declared.push(clientCapabilities);
                return {};
              },
              'session/new': () => ({ sessionId: 's' }),
              'session/prompt': () => ({ stopReason: 'end_turn' }),
            },
          }).connect(transport);
          return client;
        },
      },
    },
  };
}

test('an agent in this process gets the variables of its spec, overridden by typed ones', async () => {
  const { spec, starts } = inProcess({ env: { LEVEL: 'low', KEY: '' } });
  await using agent = await launchAgent(spec, { cwd: '/', env: { KEY: 'typed' } }, options);
  expect(agent.name).toBe('mine');
  expect(starts).toMatchObject([{ env: { LEVEL: 'low', KEY: 'typed' } }]);
});

test('a missing agent is not started, with any spec', async () => {
  const spec: AgentSpec = { name: 'gone', reach: { by: 'command', command: '/no/such/command' } };
  await expect(launchAgent(spec, { cwd: '/' }, options)).rejects.toMatchObject({ code: 'start-failed' });
});

test("the caller's services override those of the spec, whose other fields apply", async () => {
  const { spec, declared } = inProcess({ serves: { files: false, terminals: false } });
  await using _agent = await launchAgent(spec, { cwd: '/' }, { ...options, serves: { terminals: true } });
  expect(declared).toMatchObject([{ terminal: true }]);
  expect(declared[0]).not.toHaveProperty('fs');
});

/** An agent that exits when a session is opened, as Claude Code does for root. */
const endsWithASession = `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method !== 'initialize') process.exit(1);
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: 1 } }));
})`;

afterEach(() => vi.restoreAllMocks());

test.each([
  ['as root', 0, undefined, /exited with status 1\. Set IN_A_BOX=1/u],
  ['as root, with the variable set', 0, '1', /exited with status 1$/u],
  ['as an ordinary user', 1000, undefined, /exited with status 1$/u],
])('an agent that exits %s: the error has the hint for root only where it helps', async (...row) => {
  const [, uid, variable, message] = row;
  vi.spyOn(process, 'getuid').mockReturnValue(uid);
  const spec: AgentSpec = {
    name: 'mine',
    asRoot: { variable: 'IN_A_BOX', hint: 'Set IN_A_BOX=1.' },
    ...(variable !== undefined && { env: { IN_A_BOX: variable } }),
    reach: { by: 'command', command: process.execPath, args: ['-e', endsWithASession] },
  };
  await using agent = await launchAgent(spec, { cwd: '/' }, options);
  await expect(agent.openSession({ cwd: '/' })).rejects.toThrow(message);
});
