import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { parley, temporaryFolder, toLines } from './command.ts';

/** A provider of a model that gives "look" and "write" to sub-agents, which work at the same time. */
async function openProvider(): Promise<AsyncDisposable & { readonly env: Readonly<Record<string, string>> }> {
  const waiting: (() => void)[] = [];
  /** Settles when both sub-agents have asked: one by one, they would wait for ever. */
  const bothAsk = async (): Promise<void> => {
    const met = new Promise<void>((resolve) => waiting.push(resolve));
    if (waiting.length === 2) for (const meet of waiting.splice(0)) meet();
    await met;
  };
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { messages } = JSON.parse(body) as { readonly messages: readonly Message[] };
      const prompt = JSON.stringify(messages.find(({ role }) => role === 'user')?.content);
      const isFirst = messages.at(-1)?.role === 'user';
      const isParent = prompt.includes('go');
      if (isFirst && !isParent) await bothAsk();
      const delta = isParent ? parentSays(isFirst) : childSays(prompt, isFirst);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const finish = 'tool_calls' in delta ? 'tool_calls' : 'stop';
      response.end(`${chunk(delta)}${chunk({}, finish)}data: [DONE]\n\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${String(port)}/v1`;
  return {
    env: { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: url, OPENAI_MODEL: 'm' },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Message {
  readonly role: string;
  readonly content: unknown;
}

function parentSays(isFirst: boolean): object {
  if (!isFirst) return { content: 'Both are done.' };
  return calls(['task', { prompt: 'look', kind: 'explore' }], ['task', { prompt: 'write', title: 'Writer' }]);
}

function childSays(prompt: string, isFirst: boolean): object {
  if (!isFirst) return { content: `I did ${prompt}` };
  return calls(prompt.includes('look') ? ['list', { path: '.' }] : ['write', { path: 'a.txt', text: 'x' }]);
}

function calls(...list: readonly (readonly [name: string, input: object])[]): object {
  return {
    tool_calls: list.map(([name, input], index) => ({
      index,
      id: `c${String(index)}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
}

function chunk(delta: object, finish?: string): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

test('the built-in agent runs two sub-agents at the same time, each with its own lines', async () => {
  await using provider = await openProvider();
  await using folder = await temporaryFolder();
  const options = { cwd: folder.path, env: provider.env };
  const words = ['run', '--approve', 'edits', 'go'];

  const { status, stdout } = await parley([...words, '--format', 'json'], options);
  expect(status).toBe(0);
  const lines = toLines(stdout);
  const children = lines.flatMap(({ update, sessionId }) =>
    isAnnouncement(update) ? [{ ...update, parentId: sessionId }] : [],
  );
  expect(children).toMatchObject([
    { title: 'look', description: 'Only reads', parentId: undefined },
    { title: 'Writer', parentId: undefined },
  ]);
  const [look = '', write = ''] = children.map(({ sessionId }) => sessionId);
  const kindsOf = (id: string): unknown[] =>
    lines.filter(({ sessionId }) => sessionId === id).map(({ type, update }) => kindOf(update) ?? type);
  expect(kindsOf(look)).toEqual([
    'session_message',
    'tool_call',
    'tool_call_update',
    'tool_call_update',
    'agent_message_chunk',
    'usage_update',
  ]);
  expect(kindsOf(write)).toContain('permission');
  expect(lines.filter(({ type }) => type === 'diagnostic')).toEqual([]);
  expect(stdout).toContain(`{"type":"session","sessionId":"${write}"}`);

  const shown = await parley(words, options);
  expect(shown.stdout).toMatch(
    /^• Explore: look\n• Task: Writer\n(• .* … done\n {4}I did .*\n){2}\nBoth are done\.\n$/u,
  );
  expect(shown.stdout).toContain('• Task: Writer … done\n    I did "write"\n');
  expect(shown.stderr.trimEnd().split('\n').toSorted()).toEqual([
    'parley: sub-agent "Writer" is idle (end_turn)',
    'parley: sub-agent "Writer" was announced',
    'parley: sub-agent "look" is idle (end_turn)',
    'parley: sub-agent "look" was announced',
  ]);
});

function kindOf(update: unknown): unknown {
  return typeof update === 'object' && update !== null && 'sessionUpdate' in update
    ? update.sessionUpdate
    : undefined;
}

function isAnnouncement(update: unknown): update is { readonly sessionId: string } {
  return kindOf(update) === 'subagent_update' && JSON.stringify(update).includes('"title"');
}
