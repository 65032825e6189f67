// node unstable-agent.mjs SCENE: an ACP agent that declares methods of the unstable protocol, and has them, refuses them, or answers
// them with something else. Without a scene it lists all scenes. A prompt "received" returns what it received of them. A prompt
// `mcp [{"method": …, "params"?, "serverId"?, "cancelled"?}, …]` sends these requests at once to the MCP server of the session over ACP,
// and says the responses, in order, and the notifications.
import { introduction, startAgent } from '../faulty-agent/agent.mjs';

/** @typedef {import('../faulty-agent/agent.mjs').Handler} Handler */

const methods = [
  'auth/status',
  'providers/list',
  'providers/set',
  'providers/disable',
  'session/archive',
  'session/unarchive',
  'session/set_title',
];

const declared = {
  ...introduction,
  agentInfo: { name: 'unstable', version: '1.0.0' },
  agentCapabilities: {
    loadSession: true,
    sessionCapabilities: { list: {}, close: {}, archive: {}, title: {}, status: {} },
    mcpCapabilities: { acp: true },
    auth: { status: {} },
    providers: {},
  },
};

/** The routes of the only provider. @type {object | undefined} */
let current = { apiType: 'anthropic', baseUrl: 'https://api.anthropic.com' };

/** What an agent that has the methods returns. @type {Readonly<Record<string, (params: any) => unknown>>} */
const results = {
  'auth/status': () => ({
    state: 'authenticated',
    accounts: [{ label: 'Claude Max', active: true, email: 'ada@example.com' }],
  }),
  'providers/list': () => ({
    providers: [{ providerId: 'main', supported: ['anthropic', 'bedrock'], required: false, current }],
  }),
  'providers/set': ({ apiType, baseUrl }) => {
    current = { apiType, baseUrl };
    return {};
  },
  'providers/disable': () => {
    current = undefined;
    return {};
  },
  'session/archive': () => ({}),
  'session/unarchive': () => ({}),
  'session/set_title': ({ title }) => ({ title: title.trim() }),
};

/** What an agent that answers with something else returns. */
const lies = { state: 5, accounts: 'many', providers: 'all', title: ['no'] };

/** @type {Readonly<Record<string, { what: string, answer: (method: string, params: any) => object }>>} */
const scenes = {
  has: {
    what: 'has the methods that it declares',
    answer: (method, params) => ({ result: results[method]?.(params) }),
  },
  refuses: {
    what: 'declares the methods, and refuses each request',
    answer: (method) => ({ error: { code: -32601, message: `${method}: not yet` } }),
  },
  lies: {
    what: 'declares the methods, and returns results that are not of their types',
    answer: () => ({ result: lies }),
  },
};

/** The MCP server of the session over ACP. @type {string | undefined} */
let serverId;
/** Notifications of that server. @type {unknown[]} */
const notices = [];
let calls = 0;

/** @type {(agent: import('../faulty-agent/agent.mjs').Agent, requests: readonly any[]) => Promise<object>} */
async function callServer(agent, requests) {
  const responses = requests.map(({ cancelled, ...request }) => {
    const requestId = `mcp-${++calls}`;
    const response = agent.request('mcp/message', { serverId, requestId, ...request }, requestId);
    if (cancelled === true) agent.send({ method: '$/cancel_request', params: { requestId } });
    return response;
  });
  return { responses: await Promise.all(responses), notices };
}

const [name] = process.argv.slice(2);
const scene = new Map(Object.entries(scenes)).get(name ?? '');
if (scene !== undefined) {
  /** @type {string[]} */
  const received = [];
  /** @type {(method: string) => Handler} */
  const handlerOf = (method) => (agent, message) => {
    received.push(`${method} ${JSON.stringify(message.params)}`);
    agent.send({ id: message.id, ...scene.answer(method, message.params) });
  };
  startAgent({
    what: scene.what,
    on: {
      initialize: (agent, { id }) => agent.send({ id, result: declared }),
      'session/new': (agent, { id, params }) => {
        serverId = params.mcpServers.find((/** @type {any} */ { type }) => type === 'acp')?.serverId;
        agent.send({ id, result: { sessionId: 'session-1' } });
      },
      'mcp/message': (_, { params }) => notices.push(params),
      'session/prompt': async (agent, { id, params }) => {
        const [{ text }] = params.prompt;
        const said = text.startsWith('mcp ') ? await callServer(agent, JSON.parse(text.slice(4))) : received;
        agent.say(params.sessionId, said);
        agent.send({ id, result: { stopReason: 'end_turn' } });
      },
      ...Object.fromEntries(methods.map((method) => [method, handlerOf(method)])),
    },
  });
} else if (name === undefined) {
  for (const [each, { what }] of Object.entries(scenes)) process.stdout.write(`${each}\t${what}\n`);
} else {
  process.stderr.write(
    `There is no scene ${JSON.stringify(name)}. Without an argument all scenes are listed.\n`,
  );
  process.exitCode = 2;
}
