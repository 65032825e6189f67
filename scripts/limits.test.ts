import { readFileSync } from 'node:fs';
import { defaultClientLimits } from '@parley/aap';
import { defaultLimits as serverLimits } from '@parley/aap/server';
import { defaultRemoteLimits } from '@parley/acp/http';
import { defaultLimits as agentLimits } from '@parley/agent';
import { defaultHubLimits, defaultLimits as gatewayLimits } from '@parley/gateway';
import { defaultLimits as wireLimits } from '@parley/wire';
import { expect, test } from 'vitest';
import * as webLimits from '../packages/web/src/limits.ts';

const sections = new Map(
  readFileSync(new URL('../LIMITS.md', import.meta.url), 'utf8')
    .split(/^## /m)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

test.each([
  ['wire', { ...wireLimits }],
  ['aap: client', { ...defaultClientLimits }],
  ['aap: server', { ...serverLimits }],
  ['acp', { ...defaultRemoteLimits }],
  ['agent', { ...agentLimits }],
  ['gateway', { ...gatewayLimits }],
  ['hub', { ...defaultHubLimits }],
])('LIMITS.md has each bound of %s with its default', (name, limits) => {
  const rows = sections.get(name)?.matchAll(/^\|[^|]*\|([^|]*)\| `limits\.(\w+)`/gm) ?? [];

  expect(
    Object.fromEntries([...rows].map(([, value = '', option]) => [option, toNumber(value.trim())])),
  ).toEqual(limits);
});

test('LIMITS.md has each bound of the web interface with its value', () => {
  const rows = sections.get('web')?.matchAll(/^\|[^|]*\|([^|]*)\| `([\w.]+)`/gm) ?? [];
  const bounds = Object.entries(webLimits).flatMap(([name, bound]) =>
    typeof bound === 'number'
      ? [[name, bound] as const]
      : Object.entries(bound).map(([part, value]) => [`${name}.${part}`, value] as const),
  );

  expect(Object.fromEntries([...rows].map(([, value = '', name]) => [name, toNumber(value.trim())]))).toEqual(
    Object.fromEntries(bounds),
  );
});

const units: Readonly<Record<string, number>> = {
  s: 1000,
  ms: 1,
  M: 1_000_000,
  MB: 1_000_000,
  Ki: 1024,
  KiB: 1024,
  Mi: 1024 * 1024,
  MiB: 1024 * 1024,
};

function toNumber(text: string): number {
  const [amount = '', unit] = text.split(' ');
  return Number(amount.replaceAll(',', '')) * (unit === undefined ? 1 : (units[unit] ?? Number.NaN));
}
