// An agent for the end-to-end tests, written on the official SDK. A prompt names what it does, one thing a line:
//   say TEXT · think TEXT · stream COUNT · words COUNT · plan DONE/ALL · image · markdown · diff · unknown · usage
//   write PATH TEXT (\n is a new line) · paint PATH (an image) · scribble PATH TEXT (without a tool call) · flood COUNT
//   ask TITLE, TITLE … (permissions, all at once) · form · link · run COMMAND · wait · crash · break
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { agent, ndJsonStream } from '@agentclientprotocol/sdk';

/** While it is there, it does not start. */
const broken = 'broken-stage';
if (existsSync(broken)) {
  process.stderr.write(`${broken}: cannot start\n`);
  process.exit(3);
}

const turns = new Map();
let count = 0;
let calls = 0;

/** One pixel, red. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask', description: 'Asks before it changes anything' },
    { id: 'code', name: 'Code', description: 'Changes files without asking' },
  ],
};

function configOptions(values) {
  return [
    {
      id: 'model',
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: values.model,
      options: [
        { value: 'small', name: 'Small', description: 'Fast' },
        { value: 'large', name: 'Large', description: 'Thorough' },
      ],
    },
    { id: 'careful', name: 'Careful', type: 'boolean', currentValue: values.careful },
  ];
}

/** The folder of each session. */
const folders = new Map();
const settings = new Map();
function settingsOf(sessionId) {
  if (!settings.has(sessionId)) settings.set(sessionId, { model: 'small', careful: false });
  return settings.get(sessionId);
}

/** Prompts as a user would write them, and what is done then. */
const scenes = {
  'Why is the answer wrong?': [
    'think The task does not mention 41. Let me see where it comes from.',
    'plan 1/3',
    'say I looked at `src/answer.ts`: the constant is off by one.',
    'diff',
    'plan 2/3',
    'usage',
    'say The answer is 42 now, and a test says so.',
  ].join('\n'),
  'Run the tests': ['say I want to see whether it works.', 'ask npm test -- --run'].join('\n'),
};

function opening(sessionId) {
  return { modes, configOptions: configOptions(settingsOf(sessionId)) };
}

agent({ name: 'stage' })
  .onRequest('initialize', () => ({
    protocolVersion: 1,
    agentInfo: { name: 'stage', title: 'Stage', version: '1.2.3' },
    agentCapabilities: {
      loadSession: false,
      promptCapabilities: { image: true, embeddedContext: true },
      sessionCapabilities: { resume: {}, close: {} },
    },
    authMethods: [],
  }))
  .onRequest('session/new', ({ params, client }) => {
    const sessionId = `stage-${Date.now()}-${(count += 1)}`;
    folders.set(sessionId, params.cwd);
    setImmediate(() => void sendCommands(client, sessionId));
    return { sessionId, ...opening(sessionId) };
  })
  .onRequest('session/resume', ({ params, client }) => {
    folders.set(params.sessionId, params.cwd);
    setImmediate(() => void sendCommands(client, params.sessionId));
    return opening(params.sessionId);
  })
  .onRequest('session/close', () => ({}))
  .onRequest('session/set_mode', () => ({}))
  .onRequest('session/set_config_option', ({ params }) => {
    settingsOf(params.sessionId)[params.configId] = params.value;
    return { configOptions: configOptions(settingsOf(params.sessionId)) };
  })
  .onRequest('session/prompt', async ({ params, client }) => {
    const { sessionId, prompt } = params;
    const turn = new AbortController();
    turns.set(sessionId, turn);
    const update = (change) => client.notify('session/update', { sessionId, update: change });
    const stage = { sessionId, client, update, signal: turn.signal };
    const images = prompt.filter(({ type }) => type === 'image').length;
    if (images > 0) await say(stage, `I see ${images} image. `);
    const asked = prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    const text = scenes[asked] ?? asked;
    for (const line of text.split('\n')) {
      if (turn.signal.aborted) break;
      const [verb = '', ...rest] = line.trim().split(/\s+/);
      if (verb in acts) await acts[verb](stage, rest.join(' '));
      else await say(stage, line);
    }
    return { stopReason: turn.signal.aborted ? 'cancelled' : 'end_turn' };
  })
  .onNotification('session/cancel', ({ params }) => turns.get(params.sessionId)?.abort())
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

async function sendCommands(client, sessionId) {
  await client.notify('session/update', {
    sessionId,
    update: {
      sessionUpdate: 'available_commands_update',
      availableCommands: [
        { name: 'review', description: 'Review the changes', input: { hint: 'what to look at' } },
        { name: 'tests', description: 'Run the tests' },
      ],
    },
  });
}

function say({ update }, text) {
  return update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${text}\n\n` } });
}

async function ask({ sessionId, client, update, signal }, title) {
  const toolCallId = `call-${(calls += 1)}`;
  const call = { toolCallId, title, kind: 'execute', rawInput: { command: title } };
  await update({ sessionUpdate: 'tool_call', status: 'pending', ...call });
  const { outcome } = await client.request('session/request_permission', {
    sessionId,
    toolCall: call,
    options: [
      { optionId: 'once', name: 'Allow', kind: 'allow_once' },
      { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
  });
  if (signal.aborted) return;
  const isAllowed = outcome.outcome === 'selected' && outcome.optionId !== 'no';
  await update({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: isAllowed ? 'completed' : 'failed',
    content: [{ type: 'content', content: { type: 'text', text: isAllowed ? 'done' : 'rejected' } }],
  });
  await say({ update }, `${title}: ${isAllowed ? 'allowed' : 'rejected'}`);
}

function toFile(sessionId, rest) {
  const [name = '', ...words] = rest.split(' ');
  const text = words.join(' ').replaceAll('\\n', '\n');
  return { file: path.join(folders.get(sessionId), name), text };
}

/** Writes a file, in a tool call that names it. */
async function write({ update }, file, data) {
  const toolCallId = `write-${(calls += 1)}`;
  const call = {
    toolCallId,
    title: `Write ${path.basename(file)}`,
    kind: 'edit',
    locations: [{ path: file }],
  };
  await update({ sessionUpdate: 'tool_call', status: 'in_progress', ...call });
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, data);
  await update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
}

const acts = {
  say,
  think: ({ update }, text) =>
    update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } }),

  /** So many messages and tool calls. */
  async stream({ update, signal }, rest) {
    for (let each = 0; each < Number(rest) && !signal.aborted; each += 2) {
      const messageId = `message-${each}`;
      const text = `Message ${each}: some **bold** words and \`code\`.`;
      await update({ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } });
      const call = { toolCallId: `read-${each}`, title: `Read src/file-${each}.ts`, kind: 'read' };
      await update({ sessionUpdate: 'tool_call', status: 'completed', ...call });
    }
  },

  /** One message, in so many pieces. */
  async words({ update, signal }, rest) {
    for (let each = 1; each <= Number(rest) && !signal.aborted; each += 1) {
      await update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `word${each} ` } });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },

  async ask(stage, rest) {
    await Promise.all(rest.split(/,\s*/).map((title) => ask(stage, title)));
  },

  /** Asks to change a file, by so many lines. */
  async propose({ sessionId, client, update }, rest) {
    const lines = Array.from({ length: Number(rest) }, (_, index) => `line ${index + 1}\n`).join('');
    const { outcome } = await client.request('session/request_permission', {
      sessionId,
      toolCall: {
        toolCallId: `propose-${(calls += 1)}`,
        title: 'Edit long.txt',
        kind: 'edit',
        content: [
          {
            type: 'diff',
            path: path.join(folders.get(sessionId), 'long.txt'),
            oldText: null,
            newText: lines,
          },
        ],
      },
      options: [
        { optionId: 'once', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
    });
    await say({ update }, `proposal: ${outcome.optionId ?? outcome.outcome}`);
  },

  async form({ sessionId, client, update }) {
    const answer = await client.request('elicitation/create', {
      sessionId,
      mode: 'form',
      message: 'Where shall it go?',
      requestedSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', title: 'Name', minLength: 2 },
          size: { type: 'integer', title: 'Size', minimum: 1, maximum: 9 },
          place: { type: 'string', title: 'Place', enum: ['here', 'there'] },
          shared: { type: 'boolean', title: 'Shared' },
        },
        required: ['name', 'place'],
      },
    });
    await say({ update }, `answered: ${JSON.stringify(answer)}`);
  },

  async link({ sessionId, client, update }) {
    const answer = await client.request('elicitation/create', {
      sessionId,
      mode: 'url',
      elicitationId: 'e1',
      message: 'Sign in to the tracker',
      url: 'https://tracker.example.com/sign-in?state=1',
    });
    await say({ update }, `answered: ${JSON.stringify(answer)}`);
  },

  plan({ update }, rest) {
    const [done, all] = rest.split('/').map(Number);
    const entries = Array.from({ length: all }, (_, index) => ({
      content: `Step ${index + 1}`,
      priority: 'medium',
      status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
    }));
    return update({ sessionUpdate: 'plan', entries });
  },

  image: ({ update }) =>
    update({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'image', mimeType: 'image/png', data: png },
    }),

  markdown: ({ update }) =>
    update({
      sessionUpdate: 'agent_message_chunk',
      content: {
        type: 'text',
        text: [
          '## Heading',
          '',
          'Text with **bold**, `code`, and a [link](https://example.com/page).',
          '',
          '- one',
          '- two',
          '',
          '| a | b |',
          '| --- | --- |',
          '| 1 | 2 |',
          '',
          '```ts',
          'const answer: number = 42;',
          '```',
          '',
          '<img src=x onerror="document.title=\'owned\'"> <script>document.title="owned"</script>',
          '[bad](javascript:document.title="owned") ![tracker](https://tracker.example.com/pixel.png)',
          '',
        ].join('\n'),
      },
    }),

  diff: ({ update }) =>
    update({
      sessionUpdate: 'tool_call',
      toolCallId: `edit-${(calls += 1)}`,
      title: 'Edit src/answer.ts',
      kind: 'edit',
      status: 'completed',
      locations: [{ path: '/work/src/answer.ts', line: 2 }],
      content: [
        {
          type: 'diff',
          path: '/work/src/answer.ts',
          oldText: 'export const question = "?";\nexport const answer = 41;\n',
          newText: 'export const question = "?";\nexport const answer = 42;\nexport const isSure = true;\n',
        },
      ],
    }),

  write(stage, rest) {
    const { file, text } = toFile(stage.sessionId, rest);
    return write(stage, file, text);
  },

  paint: (stage, rest) => write(stage, toFile(stage.sessionId, rest).file, Buffer.from(png, 'base64')),

  /** A long file, and so many small ones. */
  async flood({ sessionId, update }, rest) {
    const folder = path.join(folders.get(sessionId), 'many');
    const call = { toolCallId: `flood-${(calls += 1)}`, title: 'Write many files', kind: 'edit' };
    await update({ sessionUpdate: 'tool_call', status: 'in_progress', ...call });
    await mkdir(folder, { recursive: true });
    for (let each = 1; each <= Number(rest); each += 1) {
      await writeFile(path.join(folder, `${each}.txt`), 'x\n');
    }
    const long = path.join(folder, '..', 'long.txt');
    await writeFile(long, (await readFile(long, 'utf8')).replaceAll('old', 'new'));
    await update({ sessionUpdate: 'tool_call_update', toolCallId: call.toolCallId, status: 'completed' });
  },

  async scribble({ sessionId }, rest) {
    const { file, text } = toFile(sessionId, rest);
    await writeFile(file, text);
  },

  unknown: ({ update }) => update({ sessionUpdate: 'telepathy_update', thought: 'from the future' }),

  usage: ({ update }) =>
    update({
      sessionUpdate: 'usage_update',
      used: 53_000,
      size: 200_000,
      cost: { amount: 0.12, currency: 'USD' },
    }),

  async run({ sessionId, client, update }, rest) {
    const { terminalId } = await client.request('terminal/create', {
      sessionId,
      command: '/bin/sh',
      args: ['-c', rest],
    });
    const toolCallId = `run-${(calls += 1)}`;
    const content = [{ type: 'terminal', terminalId }];
    const call = { toolCallId, title: rest, kind: 'execute', status: 'in_progress', content };
    await update({ sessionUpdate: 'tool_call', ...call });
    await client.request('terminal/wait_for_exit', { sessionId, terminalId });
    await update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
    await client.request('terminal/release', { sessionId, terminalId });
  },

  wait: ({ signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', resolve, { once: true });
    }),

  async break() {
    await writeFile(broken, '');
    process.exit(3);
  },

  /** Once: the file says whether it has done so. */
  async crash(_stage, rest) {
    const isDone = rest !== '' && (await readFile(rest).catch(() => undefined)) !== undefined;
    if (!isDone) process.kill(process.pid, 'SIGKILL');
  },
};
