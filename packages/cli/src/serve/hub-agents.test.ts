import type { CatalogueEntry } from '@parley/host';
import { parseEntry } from '@parley/host/catalogue';
import { expect, test } from 'vitest';
import { toHubAgents } from './hub-agents.ts';

const npx = { package: '@example/agent@1.2.3' };
const uvx = { package: 'agent==1.2.3' };

test('the built-in agent and configured agents start as they are served', () => {
  const listed = toHubAgents(
    [
      { kind: 'own', name: 'parley' },
      {
        kind: 'configured',
        name: 'mine',
        agent: { kind: 'remote', url: 'wss://example.com', headers: new Map() },
      },
    ],
    [
      { spec: { name: 'parley', reach: { by: 'command', command: 'node' } }, options: [] },
      {
        spec: { name: 'mine', reach: { by: 'command', command: 'mine' }, secrets: ['Bearer x'] },
        options: [{ type: 'text', name: 'level', env: 'LEVEL', default: 'high' }],
      },
    ],
    new Map([['mine', '2.0.0']]),
  );

  expect(listed).toMatchObject([
    { name: 'parley', place: 'own', spec: { reach: { command: 'node' } } },
    {
      name: 'mine',
      place: 'configured',
      version: '2.0.0',
      spec: { reach: { command: 'mine' }, secrets: ['Bearer x'], env: { LEVEL: 'high' } },
    },
  ]);
});

test.each([
  ['npm install --global @example/agent@1.2.3', { npx }, { state: 'available', runner: 'npx' } as const],
  ['uv tool install agent==1.2.3', { uvx }, { state: 'absent', missing: [] } as const],
  ['needs node on PATH', { npx }, { state: 'absent', missing: ['node'] } as const],
])(
  'one that is not installed cannot be started, and says how to get it: %s',
  (install, distribution, presence) => {
    const [listed] = toHubAgents(
      [{ kind: 'catalogue', name: 'agent', entry: entryWith(distribution), presence }],
      [],
      new Map(),
    );

    expect(listed).toEqual({
      name: 'agent',
      place: 'available',
      title: 'An agent',
      description: 'It helps.',
      version: '1.2.3',
      website: 'https://example.com',
      ...(presence.state === 'available' && { canInstall: true }),
      install,
    });
  },
);

function entryWith(distribution: object): CatalogueEntry {
  const parsed = parseEntry({
    id: 'agent',
    name: 'An agent',
    version: '1.2.3',
    description: 'It helps.',
    website: 'https://example.com',
    distribution,
  });
  if (parsed.kind !== 'entry') throw new Error(JSON.stringify(parsed));
  return parsed.entry;
}
