import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createToolEndpoints } from '../src/index.ts';

/** A request of an agent to its MCP server. */
interface RecordedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly message?: {
    readonly id?: number | string;
    readonly method: string;
    readonly params?: { readonly name?: string; readonly protocolVersion?: string };
  };
}

interface RecordedClient {
  readonly client: string;
  readonly requests: readonly RecordedRequest[];
}

// What agents sent to the MCP server of delegation in one turn that delegated, recorded on 23 November 2026. Headers of the transport were
// removed, and ids of sessions and delegates renamed. Three revisions of MCP are among them.
const recorded = JSON.parse(
  readFileSync(new URL('fixtures/mcp-clients.json', import.meta.url), 'utf8'),
) as readonly RecordedClient[];

const tools = ['delegate', 'wait'].map((name) => ({
  name,
  description: 'Delegates.',
  parameters: { type: 'object' },
}));

test.each(recorded)('$client: its requests are answered', async ({ requests }) => {
  const endpoints = createToolEndpoints({ progressMs: 5 });
  onTestFinished(() => endpoints.close());
  const called: string[] = [];
  const endpoint = await endpoints.open({
    tools,
    call: ({ name, input }) => {
      called.push(`${name} ${Object.keys(input).join(' ')}`);
      return Promise.resolve('started');
    },
  });
  const server = endpoint.mcpServer({ http: true });
  if (server.type !== 'http') throw new Error('expected a server over HTTP');
  const token = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  let session = '';
  const results: Record<string, object> = {};

  for (const { method, headers, message } of requests) {
    const { 'mcp-session-id': _, ...others } = headers;
    const response = await fetch(server.url, {
      method,
      headers: { ...others, ...token, ...('mcp-session-id' in headers && { 'mcp-session-id': session }) },
      ...(message !== undefined && { body: JSON.stringify(message) }),
      signal: ended.signal,
    });
    expect([message?.method ?? method, response.ok]).toEqual([message?.method ?? method, true]);
    session = response.headers.get('mcp-session-id') ?? session;
    // A stream that only notifies stays open.
    if (message?.id === undefined || message.method === 'subscriptions/listen') continue;
    const answers = messagesIn(await response.text()).filter(({ id }) => id === message.id);
    expect(answers).toHaveLength(1);
    results[message.method] = answers[0] ?? {};
    const asked = message.params?.protocolVersion;
    if (asked !== undefined) expect(answers).toMatchObject([{ result: { protocolVersion: asked } }]);
  }

  expect(results).toMatchObject({
    'tools/list': { result: { tools: [{ name: 'delegate' }, { name: 'wait' }] } },
    'tools/call': { result: { content: [{ type: 'text', text: 'started' }] } },
  });
  expect(called).toEqual(['delegate agent prompt', 'wait id seconds']);
});

/** The messages of a response, as JSON or as server-sent events. */
function messagesIn(body: string): readonly { readonly id?: unknown }[] {
  const events = body.split('\n').flatMap((line) => (line.startsWith('data: {') ? [line.slice(6)] : []));
  return (events.length > 0 ? events : [body]).map((text) => JSON.parse(text) as { readonly id?: unknown });
}
