import { readFileSync } from 'node:fs';
import { defaultClientLimits } from '@parley/aap';
import { defaultLimits as serverLimits } from '@parley/aap/server';
import { defaultRemoteLimits } from '@parley/acp/http';
import { defaultLimits as agentLimits } from '@parley/agent';
import { defaultHubLimits, defaultPushLimits, defaultLimits as gatewayLimits } from '@parley/gateway';
import { defaultLimits as wireLimits } from '@parley/wire';
import { expect, test } from 'vitest';
import * as webLimits from '../packages/web/src/limits.ts';
import { formatValue } from './limits/limits-page.mjs';
import { boundsIn } from './limits/read-bounds.mjs';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const allRows = new Set(
  [...read('../docs/limits.md').matchAll(/^\| `([\w.]+)` +\| ([^|]*?) +\|/gm)].map(
    ([, name = '', value = '']) => `${name}: ${value}`,
  ),
);
const explained = [...read('../LIMITS.md').matchAll(/^\|[^|]*\| ([^|]*?) +\| ([^|]*?) +\|[^|]*\|$/gm)]
  .map(([, value = '', setting = '']) => ({ value, setting }))
  .filter(({ setting }) => setting !== 'Setting' && !/^-+$/.test(setting));

const options = {
  createAapServer: { ...serverLimits },
  createGateway: { ...gatewayLimits },
  createHub: { ...defaultHubLimits },
  openPush: { ...defaultPushLimits },
  createCodingAgent: { ...agentLimits },
};

test.each(
  Object.entries({
    wire: { ...wireLimits },
    'the client of aap': { ...defaultClientLimits },
    acp: { ...defaultRemoteLimits },
    ...options,
  }),
)('docs/limits.md has each bound of %s with its default', (_, limits) => {
  const rows = Object.entries(limits).map(
    ([name, value]) => `limits.${name}: ${formatValue({ name, value })}`,
  );

  expect(rows.filter((row) => !allRows.has(row))).toEqual([]);
});

test('docs/limits.md has each bound of the web interface with its value', () => {
  const rows = Object.entries(webLimits).flatMap(([name, bound]) =>
    typeof bound === 'number'
      ? [`${name}: ${formatValue({ name, value: bound })}`]
      : Object.entries(bound).map(
          ([part, value]) => `${name}.${part}: ${formatValue({ name: part, value })}`,
        ),
  );

  expect(rows.filter((row) => !allRows.has(row))).toEqual([]);
});

test('LIMITS.md explains about forty limits, and those with an option of a library have its default', () => {
  expect(explained.length).toBeGreaterThan(35);
  expect(explained.length).toBeLessThan(46);
  const bound = explained.flatMap(({ value, setting }) => {
    const [, option = '', opener = ''] = /^`limits\.(\w+)` of `(\w+)`$/.exec(setting) ?? [];
    return option === '' ? [] : [{ option, opener, value }];
  });

  expect(bound.length).toBeGreaterThan(15);
  for (const { option, opener, value } of bound) {
    const defaults: Readonly<Record<string, number>> =
      Object.entries(options).find(([name]) => name === opener)?.[1] ?? {};
    expect(defaults, `${opener} has no limits.${option}`).toHaveProperty(option);
    expect(value.replaceAll(',', ''), option).toBe(
      formatValue({ name: option, value: defaults[option] ?? 0 }).replaceAll(',', ''),
    );
  }
});

test("a limit is a constant with a limit's name, or a member of defaults, and its doc comment describes it", () => {
  const source = [
    '/** Bounds. */',
    'export interface Limits {',
    '  /** Clients at once. @default 2 */',
    '  readonly clients: number;',
    '}',
    'export const defaultLimits: Limits = { clients: 2 };',
    '/** How long a lock is waited for. */',
    'const lockMs = 10 * 1000;',
    'const defaultPort = 7717;',
    'const mostRows = compute();',
  ].join('\n');

  expect(boundsIn('packages/a/src/b.ts', source)).toEqual([
    {
      name: 'clients',
      value: 2,
      comment: 'Clients at once.',
      file: 'packages/a/src/b.ts',
      set: 'defaultLimits',
    },
    { name: 'lockMs', value: 10_000, comment: 'How long a lock is waited for.', file: 'packages/a/src/b.ts' },
  ]);
});
