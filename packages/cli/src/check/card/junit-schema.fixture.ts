import type { XmlElement } from './xml-tree.fixture.ts';

/** What a schema says of an element. */
interface ElementRule {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly children: readonly string[];
  /** Children of which there is one at most. */
  readonly single?: readonly string[];
  readonly hasText?: true;
}

type Schema = Readonly<Record<string, ElementRule>>;

const outcome: ElementRule = { required: [], optional: ['type', 'message'], children: [], hasText: true };

/** `junit-10.xsd` of Jenkins' xUnit plugin, as far as a card has such elements. */
export const jenkinsSchema: Schema = {
  testsuites: {
    required: [],
    optional: ['name', 'time', 'tests', 'failures', 'errors'],
    children: ['testsuite'],
  },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'],
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: {
    required: ['name'],
    optional: ['time', 'classname', 'group'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  skipped: outcome,
  failure: outcome,
};

/** `surefire-test-report.xsd` of Maven, whose root is the suite. */
export const surefireSchema: Schema = {
  testsuite: {
    required: ['name', 'tests', 'errors', 'skipped', 'failures'],
    optional: ['time', 'group'],
    children: ['properties', 'testcase'],
  },
  testcase: {
    required: ['name', 'time'],
    optional: ['classname', 'group'],
    children: ['failure', 'skipped', 'error', 'system-out', 'system-err'],
    single: ['skipped', 'error'],
  },
  failure: { required: ['type'], optional: ['message'], children: [], hasText: true },
  skipped: { required: [], optional: ['message'], children: [], hasText: true },
};

/** What in an element, and in those in it, is against a schema. */
export function faultsBy(schema: Schema, element: XmlElement): readonly string[] {
  const { name, attributes, children, text } = element;
  const rule = schema[name];
  if (rule === undefined) return [`${name}: unknown`];
  const known = new Set([...rule.required, ...rule.optional]);
  const names = children.map((child) => child.name);
  const time = attributes.get('time') ?? '0';
  return [
    ...rule.required.filter((key) => !attributes.has(key)).map((key) => `${name}: no ${key}`),
    ...[...attributes.keys()].filter((key) => !known.has(key)).map((key) => `${name}: ${key}`),
    ...names.filter((child) => !rule.children.includes(child)).map((child) => `${name} contains ${child}`),
    ...(rule.single ?? []).filter((child) => names.filter((each) => each === child).length > 1),
    ...(rule.hasText !== true && text.trim() !== '' ? [`${name} contains text`] : []),
    ...(/^\d{0,3}(?:\.\d{0,3})?$/u.test(time) ? [] : [`${name}: time ${time}`]),
    ...children.flatMap((child) => faultsBy(schema, child)),
  ];
}
