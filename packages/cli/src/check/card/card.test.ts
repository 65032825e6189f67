import type { ConformanceCard } from '@parley/conformance';
import { expect, test } from 'vitest';
import { faultsBy, jenkinsSchema, surefireSchema } from './junit-schema.fixture.ts';
import { toJson } from './to-json.ts';
import { toJunit } from './to-junit.ts';
import { toSvg } from './to-svg.ts';
import { toText } from './to-text.ts';
import { parseXml } from './xml-tree.fixture.ts';

const rule = {
  level: 'required',
  rule: 'It answers "<ok>" & ends.',
  source: 'https://example.com/?a=1&b=2',
} as const;
const card: ConformanceCard = {
  target: { name: '"/><script>alert(1)</script>', version: '1\u0000' },
  checks: [
    { ...rule, id: 'A-001', outcome: 'passed' },
    { ...rule, id: 'A-002', outcome: 'skipped', detail: 'no <session>' },
    { ...rule, id: 'A-003', outcome: 'failed', detail: 'Found: ]]> & "x"\nExpected: y' },
    { ...rule, id: 'A-004', level: 'recommended', outcome: 'failed', detail: 'Found: z' },
  ],
};

test('JUnit has one case per check, the counts of the card, and the level as the type of a failure', () => {
  const xml = toJunit(card);
  expect(xml).toContain('tests="4" failures="2" errors="0" skipped="1"');
  expect(xml.match(/<testcase /gu)).toHaveLength(4);
  expect(xml.match(/<skipped message="no &lt;session&gt;"\/>/gu)).toHaveLength(1);
  expect(xml.match(/<failure type="required" /gu)).toHaveLength(1);
  expect(xml.match(/<failure type="recommended" /gu)).toHaveLength(1);
});

test.each([
  ['JUnit', toJunit],
  ['SVG', toSvg],
])('%s contains nothing of a name or a detail as markup', (_name, print) => {
  const xml = print(card);
  expect(xml).not.toContain('<script');
  expect(xml).not.toContain('\u0000');
  // Each ampersand begins an entity, and no element is left open by a quote.
  expect(xml.replaceAll(/&(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);/giu, '')).not.toContain('&');
  expect(xml.split('<').length).toBe(xml.split('>').length);
});

test('the SVG shows whether the required checks passed', () => {
  expect(toSvg(card)).toContain('does not conform to ACP 1');
  const met = { ...card, checks: card.checks.filter(({ id }) => id !== 'A-003') };
  expect(toSvg(met)).toContain(': conforms to ACP 1');
});

test('the JUnit output is valid by the schemas of Jenkins and Surefire, and matches the card', () => {
  const root = parseXml(toJunit(card));
  expect(faultsBy(jenkinsSchema, root)).toEqual([]);
  const [suite] = root.children;
  if (suite === undefined) throw new Error('no suite');
  expect(faultsBy(surefireSchema, suite)).toEqual([]);
  expect(suite.children.map(({ attributes }) => attributes.get('name'))).toEqual(
    card.checks.map(({ id }) => `${id}: ${rule.rule}`),
  );
  expect(suite.children.map(({ children }) => children.map(({ name, text }) => [name, text]))).toEqual([
    [],
    [['skipped', '']],
    [['failure', `Found: ]]> & "x"\nExpected: y\n${rule.source}`]],
    [['failure', `Found: z\n${rule.source}`]],
  ]);
});

test.each([
  ['a case without a time', (xml: string) => xml.replaceAll(' time="0"', '')],
  ['a failure without a type', (xml: string) => xml.replaceAll(' type="required"', '')],
  ['an attribute that no schema has', (xml: string) => xml.replaceAll('<testcase ', '<testcase rule="x" ')],
  ['a suite without its counts', (xml: string) => xml.replaceAll(/ (?:errors|skipped)="\d+"/gu, '')],
  ['an element in the wrong place', (xml: string) => xml.replaceAll('skipped message', 'testcase message')],
])('the schemas refuse %s', (_name, damage) => {
  const [suite] = parseXml(damage(toJunit(card))).children;
  if (suite === undefined) throw new Error('no suite');
  expect(faultsBy(surefireSchema, suite)).not.toEqual([]);
});

test('checks that are skipped because initialize failed share one line of the text; JSON and JUnit have all', () => {
  const detail = 'initialize failed: see ACP-INIT-001';
  const rest = Array.from({ length: 89 }, (_, index) => `B-${String(index)}`);
  const failed: ConformanceCard = {
    target: card.target,
    checks: [
      { ...rule, id: 'ACP-INIT-001', outcome: 'failed', detail: 'Found: no answer' },
      ...rest.map((id) => ({ ...rule, id, outcome: 'skipped', detail }) as const),
      { ...rule, id: 'A-002', outcome: 'skipped', detail: 'no other reason' },
    ],
  };
  const lines = toText(failed).split('\n');
  expect(lines.filter((line) => line.startsWith('skipped'))).toEqual([
    expect.stringContaining('A-002'),
    `skipped  89 checks: ${detail}`,
  ]);
  expect(lines.at(-2)).toBe('0 passed, 1 failed (1 required, 0 recommended), 90 skipped');
  expect(toJson(failed).match(/"id": "B-/gu)).toHaveLength(89);
  expect(toJunit(failed).match(/<skipped /gu)).toHaveLength(90);
});
