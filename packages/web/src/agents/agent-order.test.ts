import type { HubAgent } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { groupAgents } from './agent-order.ts';

test('available agents come first, and the default one before the others', () => {
  const of = (name: string, known: Partial<HubAgent>): HubAgent => ({
    name,
    place: 'available',
    signIn: 'unknown',
    ...known,
  });
  const groups = groupAgents([
    of('zed', {}),
    of('alpha', {}),
    of('mine', { place: 'configured' }),
    of('zeta', { place: 'configured', isDefault: true }),
  ]);
  expect(groups.map(({ place, agents }) => [place, ...agents.map(({ name }) => name)])).toEqual([
    ['configured', 'zeta', 'mine'],
    ['available', 'alpha', 'zed'],
  ]);
});
