import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * @typedef {{ name: string, kind: 'write' | 'run', isText: boolean, schema: any }} Tool Of an agent. `isText`: its input is a text, not JSON.
 * @typedef {{ tool: Tool, input: any }} Call
 * @typedef {{ tools: readonly Tool[], results: number, isStream: boolean }} Request What counts of a request.
 * @typedef {{ file: string, content: string, command: string, answer: string }} Script A file to write, a command to run, and the answer.
 */

/** What each protocol is spoken at. */
const protocols = [
  { path: /\/messages$/u, parse: parseAnthropic, send: sendAnthropic },
  { path: /\/chat\/completions$/u, parse: parseChat, send: sendChat },
  { path: /\/responses$/u, parse: parseResponses, send: sendResponses },
  { path: /:(?:streamG|g)enerateContent$/u, parse: parseGemini, send: sendGemini },
];

/**
 * Opens a server on a port of this machine that speaks the model APIs of Anthropic, OpenAI (both) and Gemini. A turn has three requests: the agent's tool
 * that writes files is called, then the one that runs commands, then the answer is given. The requests say how far a turn is.
 */
export async function openProvider() {
  /** @type {Script} */
  let script = { file: '', content: '', command: '', answer: '' };
  /** @type {string[]} */
  let bodies = [];
  /** @type {string[]} */
  let called = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      const protocol = protocols.find(({ path }) => path.test(pathname));
      if (protocol === undefined) return json(response, { totalTokens: 1, input_tokens: 1, data: [] });
      bodies.push(body);
      const parsed = protocol.parse(JSON.parse(body), pathname);
      const call = callFor(parsed, script);
      if (call !== undefined) called.push(call.tool.name);
      return protocol.send(response, parsed, call, script.answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    /** @param {Script} next */
    begin(next) {
      script = next;
      bodies = [];
      called = [];
    },
    /** What the agents sent and were asked to call, since the script began. */
    seen: () => ({ bodies, called }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * @param {Request} request
 * @param {Script} script
 * @returns {Call | undefined}
 */
function callFor({ tools, results }, script) {
  if (results > 1) return undefined;
  const kind = results === 0 ? 'write' : 'run';
  // Agents without a tool for files write them by commands.
  const tool = tools.find((each) => each.kind === kind) ?? tools.find((each) => each.kind === 'run');
  if (tool === undefined) return undefined;
  if (tool.isText) return { tool, input: patch(script) };
  const command = kind === 'run' ? script.command : `printf %s '${script.content}' >'${script.file}'`;
  return { tool, input: inputFor(tool, { ...script, command }) };
}

/**
 * Fills the fields of a tool by their names.
 *
 * @param {Tool} tool
 * @param {Script} script
 */
function inputFor({ schema }, script) {
  /** @type {Record<string, unknown>} */
  const input = {};
  const required = schema?.required ?? [];
  for (const [name, field] of Object.entries(schema?.properties ?? {})) {
    const isList = JSON.stringify(field.type ?? '').includes('array');
    if (/^(?:command|cmd)$/u.test(name)) input[name] = isList ? ['sh', '-c', script.command] : script.command;
    else if (/path$/iu.test(name) && required.includes(name)) input[name] = script.file;
    else if (name === 'content') input[name] = script.content;
    else if (name === 'input') input[name] = patch(script);
    else if (!required.includes(name)) continue;
    else if (field.type === 'boolean') input[name] = false;
    else if (field.type === 'number' || field.type === 'integer') input[name] = 10_000;
    else input[name] = 'A step of the script';
  }
  return input;
}

/** @param {Script} script */
function patch({ file, content }) {
  return `*** Begin Patch\n*** Add File: ${file}\n+${content}\n*** End Patch\n`;
}

/**
 * @param {readonly { name?: string, schema?: unknown, isText?: boolean }[]} offered
 * @returns {readonly Tool[]}
 */
function toTools(offered) {
  return offered.flatMap(({ name = '', schema = {}, isText = false }) => {
    const kind = kindOf(name.replace(/^mcp__[a-z]+__/u, '').toLowerCase());
    return kind === undefined ? [] : [{ name, kind, isText, schema }];
  });
}

/**
 * @param {string} name
 * @returns {Tool['kind'] | undefined}
 */
function kindOf(name) {
  if (/^(?:write|write_file|apply_patch)$/u.test(name)) return 'write';
  return /^(?:bash|run_shell_command|exec_command|shell_command|shell)$/u.test(name) ? 'run' : undefined;
}

/** @param {any} body */
function parseAnthropic({ tools = [], messages = [], stream = false }) {
  const parts = messages.flatMap((/** @type {any} */ each) =>
    Array.isArray(each.content) ? each.content : [],
  );
  return {
    tools: toTools(tools.map((/** @type {any} */ { name, input_schema: schema }) => ({ name, schema }))),
    results: count(parts, ({ type }) => type === 'tool_result'),
    isStream: stream,
  };
}

/** @type {(response: Response, request: Request, call: Call | undefined, answer: string) => void} */
function sendAnthropic(response, { isStream }, call, answer) {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const block =
    call === undefined
      ? { type: 'text', text: answer }
      : { type: 'tool_use', id: callId(), name: call.tool.name, input: call.input };
  const message = { id: callId(), type: 'message', role: 'assistant', model: 'local', stop_sequence: null };
  const reason = call === undefined ? 'end_turn' : 'tool_use';
  if (!isStream) return json(response, { ...message, content: [block], stop_reason: reason, usage });
  const [empty, delta] =
    call === undefined
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: answer },
        ]
      : [
          { ...block, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(call.input) },
        ];
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block: empty },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  return sendEvents(response, events, ({ type }) => `event: ${type}\n`);
}

/** @param {any} body */
function parseChat({ tools = [], messages = [], stream = false }) {
  return {
    tools: toTools(
      tools.map((/** @type {any} */ { function: { name, parameters } }) => ({ name, schema: parameters })),
    ),
    results: count(messages, ({ role }) => role === 'tool'),
    isStream: stream,
  };
}

/** @type {(response: Response, request: Request, call: Call | undefined, answer: string) => void} */
function sendChat(response, { isStream }, call, answer) {
  const head = { id: callId(), created: 1, model: 'local' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const calls = call && [
    {
      index: 0,
      id: callId(),
      type: 'function',
      function: { name: call.tool.name, arguments: JSON.stringify(call.input) },
    },
  ];
  const message = {
    role: 'assistant',
    ...(calls === undefined ? { content: answer } : { content: null, tool_calls: calls }),
  };
  const reason = call === undefined ? 'stop' : 'tool_calls';
  if (!isStream) {
    const choices = [{ index: 0, message, finish_reason: reason }];
    return json(response, { ...head, object: 'chat.completion', choices, usage });
  }
  const chunk = { ...head, object: 'chat.completion.chunk' };
  const events = [
    { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }], usage },
  ];
  return sendEvents(response, events, () => '', 'data: [DONE]\n\n');
}

/** @param {any} body */
function parseResponses({ tools = [], input = [], stream = false }) {
  return {
    tools: toTools(
      tools.map((/** @type {any} */ { name, type, parameters: schema }) => ({
        name,
        schema,
        isText: type === 'custom',
      })),
    ),
    results: count(Array.isArray(input) ? input : [], ({ type }) => String(type).endsWith('_call_output')),
    isStream: stream,
  };
}

/** @type {(response: Response, request: Request, call: Call | undefined, answer: string) => void} */
function sendResponses(response, { isStream }, call, answer) {
  const id = callId();
  const named = call && { id, call_id: callId(), name: call.tool.name, status: 'completed' };
  const item =
    call === undefined
      ? {
          type: 'message',
          id,
          role: 'assistant',
          content: [{ type: 'output_text', text: answer, annotations: [] }],
        }
      : call.tool.isText
        ? { type: 'custom_tool_call', ...named, input: call.input }
        : { type: 'function_call', ...named, arguments: JSON.stringify(call.input) };
  const usage = {
    input_tokens: 1,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 2,
  };
  const whole = {
    id: callId(),
    object: 'response',
    status: 'completed',
    model: 'local',
    output: [item],
    usage,
  };
  if (!isStream) return json(response, whole);
  const events = [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: whole },
  ];
  return sendEvents(response, events, ({ type }) => `event: ${type}\n`);
}

/**
 * @param {any} body
 * @param {string} pathname
 */
function parseGemini({ tools = [], contents = [] }, pathname) {
  const declared = tools.flatMap((/** @type {any} */ each) => each.functionDeclarations ?? []);
  const parts = contents.flatMap((/** @type {any} */ each) => each.parts ?? []);
  return {
    tools: toTools(
      declared.map((/** @type {any} */ { name, parametersJsonSchema, parameters }) => ({
        name,
        schema: parametersJsonSchema ?? parameters,
      })),
    ),
    results: count(parts, (part) => part.functionResponse !== undefined),
    isStream: pathname.includes('stream'),
  };
}

/** @type {(response: Response, request: Request, call: Call | undefined, answer: string) => void} */
function sendGemini(response, { isStream }, call, answer) {
  const part =
    call === undefined ? { text: answer } : { functionCall: { name: call.tool.name, args: call.input } };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  const candidates = [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }];
  const event = { candidates, usageMetadata, modelVersion: 'local' };
  return isStream ? sendEvents(response, [event], () => '') : json(response, event);
}

/**
 * @template T
 * @param {readonly T[]} items
 * @param {(item: any) => boolean} matches
 */
function count(items, matches) {
  return items.filter((item) => matches(item)).length;
}

let ids = 0;

function callId() {
  ids += 1;
  return `call_${ids}`;
}

/** @typedef {import('node:http').ServerResponse} Response */

/**
 * @template T
 * @param {Response} response
 * @param {readonly T[]} events
 * @param {(event: T) => string} head
 */
function sendEvents(response, events, head, end = '') {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`${head(event)}data: ${JSON.stringify(event)}\n\n`);
  response.end(end);
}

/**
 * @param {Response} response
 * @param {unknown} value
 */
function json(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
