import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProviderServer, stream } from './provider-server.ts';
import { serve, temporaryFolder } from './served.ts';
import type { Served, ServeOptions } from './served.ts';
import { wireFormats } from './wire-formats.ts';
import type { WireFormat } from './wire-formats.ts';

function formatOf(name: WireFormat['name']): WireFormat {
  const format = wireFormats.find((known) => known.name === name);
  if (format === undefined) throw new Error(`no format ${name}`);
  return format;
}

/** The events of a response whose provider says what it cost. */
function withCost(cost: unknown): string[] {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost };
  const events = formatOf('openai').events({ texts: ['ok'] });
  return events.map((event) =>
    event.includes('"usage"') ? `data: ${JSON.stringify({ id: 'c', choices: [], usage })}\n\n` : event,
  );
}

/** What the last `usage_update` says of it. */
function reportedBy(served: Served): unknown {
  const usage = served.heard.findLast((line) => line.includes('usage_update')) ?? '';
  return /"cost":(\{[^}]*\})/u.exec(usage)?.[1];
}

function variables(url: string): NonNullable<ServeOptions['variables']> {
  return { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: url, OPENAI_MODEL: 'm' };
}

test('reported costs are summed over the session, and restored with it and its fork', async () => {
  await using server = await openProviderServer(stream(withCost(0.25)));
  const cwd = await temporaryFolder();
  try {
    const options = { cwd, stateDirectory: join(cwd, 'state'), variables: variables(server.url) };
    let sessionId = '';
    {
      await using served = await serve(options);
      await served.prompt('hi');
      expect(reportedBy(served)).toBe('{"amount":0.25,"currency":"USD"}');
      await served.prompt('again');
      expect(reportedBy(served)).toBe('{"amount":0.5,"currency":"USD"}');
      sessionId = served.sessionId;
    }
    await using served = await serve(options);
    await served.connection.request('session/load', { sessionId, cwd, mcpServers: [] });
    await served.connection.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text: '/usage' }],
    });
    expect(reportedBy(served)).toBe('{"amount":0.5,"currency":"USD"}');
    expect(served.heard.join('\n')).toContain('Cost: $0.5000');
  } finally {
    await rm(cwd, { recursive: true });
  }
});

test.each([undefined, null, '0.25', -1])('a report of %j is none, and nothing is guessed', async (cost) => {
  await using server = await openProviderServer(stream(withCost(cost)));
  await using served = await serve({ variables: variables(server.url) });
  await served.prompt('hi');
  expect(reportedBy(served)).toBeUndefined();
});

test.each(wireFormats)('the cost of $name tokens uses the configured price', async (format) => {
  await using server = await openProviderServer(stream(format.events({ texts: ['ok'] })));
  const prefix = format.name.toUpperCase();
  await using served = await serve({
    variables: { [`${prefix}_API_KEY`]: 'k', [`${prefix}_BASE_URL`]: server.url, [`${prefix}_MODEL`]: 'm' },
    prices: { [`${format.name}/m`]: { input: 100_000, output: 200_000 } },
  });
  await served.prompt('hi');
  expect(reportedBy(served)).toBe('{"amount":2,"currency":"USD"}');
});

test('a model without a price adds nothing', async () => {
  await using server = await openProviderServer(stream(formatOf('openai').events({ texts: ['ok'] })));
  await using served = await serve({
    variables: variables(server.url),
    prices: { 'openai/m': { input: 100_000, output: 200_000 } },
  });
  await served.prompt('hi');
  await served.set({ configId: 'model', value: 'other' });
  await served.prompt('hi');
  expect(reportedBy(served)).toBe('{"amount":2,"currency":"USD"}');
});
