import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { parseStore } from '../packages/cli/src/store/parse-store.ts';
import {
  parseComposition,
  parseKubernetesObject,
  type Composition,
  type KubernetesObject,
  type Labels,
  type Workload,
} from './manifest-schemas.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const kubernetesText = read('docs/scale/kubernetes.yaml');
const composeText = read('docs/scale/compose.yaml');
const dockerfile = read('docs/scale/Dockerfile');
const serveCommand = read('packages/cli/src/serve/serve-command.ts');

/** @throws {Error} It is no YAML, or a key appears twice. */
function documentsIn(text: string): readonly unknown[] {
  return [...parseAllDocuments(text)].map((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw problem;
    return document.toJS() as unknown;
  });
}

const objects = documentsIn(kubernetesText).map(parseKubernetesObject);
const [composition] = documentsIn(composeText).map(parseComposition);
const services: Composition['services'] = composition?.services ?? {};

type ObjectOf<Kind extends string> = Extract<KubernetesObject, { readonly kind: Kind }>;
function named<Kind extends KubernetesObject['kind']>(kind: Kind, name: string): ObjectOf<Kind> {
  const found = objects.find(
    (object): object is ObjectOf<Kind> => object.kind === kind && object.metadata.name === name,
  );
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
}

const workloads: readonly Workload[] = objects.flatMap(({ kind, spec }) =>
  kind === 'Deployment' || kind === 'StatefulSet' ? [spec] : [],
);
const parley = named('Deployment', 'parley').spec;
const [container] = parley.template.spec.containers;
const script = container?.args?.join(' ') ?? '';
const composeScript = services['parley']?.command?.join(' ') ?? '';

function isSelected({ template }: Workload, wanted: Labels): boolean {
  return Object.entries(wanted).every(([label, value]) => template.metadata.labels[label] === value);
}

/** The flags after "parley serve", with their values. */
function flagsIn(line: string): ReadonlyMap<string, string> {
  const [, flags = ''] = line.split('exec parley serve ');
  return new Map([...flags.matchAll(/(--[\w-]+) (\S+)/gu)].map(([, flag = '', value = '']) => [flag, value]));
}

test('the manifests have the objects of the guide, and a misspelled field would be found', () => {
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'Service database',
    'StatefulSet database',
    'PersistentVolumeClaim work',
    'Deployment parley',
    'PodDisruptionBudget parley',
    'Service parley',
    'Ingress parley',
  ]);
  expect(Object.keys(services)).toEqual(['database', 'parley', 'proxy']);
  for (const [right, wrong] of [
    ['readinessProbe:', 'readinesProbe:'],
    ['kind: Deployment', 'kind: Deployments'],
    ['apiVersion: policy/v1', 'apiVersion: policy/v1beta1'],
    ['maxUnavailable: 1\n', 'maxUnavailable: one\n'],
    ['mountPath: /state', 'mountpath: /state'],
  ] as const) {
    expect(kubernetesText).toContain(right);
    const changed = kubernetesText.replace(right, wrong);
    expect(() => documentsIn(changed).map(parseKubernetesObject), wrong).toThrow('data');
  }
  const misspelled = composeText.replace('depends_on:', 'depend_on:');
  expect(() => documentsIn(misspelled).map(parseComposition)).toThrow('additional properties');
});

test('each selector of the manifests selects one workload', () => {
  const selectors = objects.flatMap((object): readonly Labels[] => {
    switch (object.kind) {
      case 'Service':
        return [object.spec.selector];
      case 'PodDisruptionBudget':
        return [object.spec.selector.matchLabels];
      case 'Deployment':
      case 'StatefulSet': {
        const { selector, template } = object.spec;
        expect(isSelected(object.spec, selector.matchLabels)).toBe(true);
        const spread = template.spec.topologySpreadConstraints ?? [];
        return [selector.matchLabels, ...spread.map(({ labelSelector }) => labelSelector.matchLabels)];
      }
      case 'Ingress':
      case 'PersistentVolumeClaim':
        return [];
    }
  });
  expect(selectors).toHaveLength(6);
  for (const selector of selectors) {
    expect(workloads.filter((workload) => isSelected(workload, selector))).toHaveLength(1);
  }
  // A drain never ends more than one replica, and one stays.
  expect(isSelected(parley, named('PodDisruptionBudget', 'parley').spec.selector.matchLabels)).toBe(true);
  expect(named('PodDisruptionBudget', 'parley').spec.maxUnavailable).toBeLessThan(parley.replicas);
});

test('ports, probes, volumes and secrets of the manifests exist', () => {
  const serving = { port: 'http', name: 'http' };
  expect(container?.ports).toEqual([{ name: serving.name, containerPort: 7717 }]);
  expect(container?.readinessProbe.httpGet).toEqual({ path: '/readyz', port: serving.port });
  expect(container?.livenessProbe?.httpGet).toEqual({ path: '/healthz', port: serving.port });
  expect(named('Service', 'parley').spec.ports).toMatchObject([{ name: 'http', targetPort: serving.name }]);
  const [rule] = named('Ingress', 'parley').spec.rules;
  expect(rule?.http.paths[0]?.backend.service).toEqual({ name: 'parley', port: { name: 'http' } });
  expect(named('StatefulSet', 'database').spec.serviceName).toBe('database');
  for (const { template, volumeClaimTemplates = [] } of workloads) {
    const { containers, volumes = [] } = template.spec;
    const mounted = containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name));
    const there = [...volumes, ...volumeClaimTemplates.map(({ metadata }) => metadata)];
    expect(mounted.toSorted()).toEqual(there.map(({ name }) => name).toSorted());
    for (const { persistentVolumeClaim: claim } of volumes) {
      if (claim !== undefined) expect(named('PersistentVolumeClaim', claim.claimName).spec).toBeDefined();
    }
    for (const { valueFrom } of containers.flatMap(({ env = [] }) => env)) {
      const { name, key } = valueFrom?.secretKeyRef ?? {};
      // It is made by the command at the beginning of the file.
      if (name !== undefined) expect(kubernetesText).toContain(`create secret generic ${name} `);
      if (key !== undefined) expect(kubernetesText).toContain(`--from-literal=${key}=`);
    }
  }
});

test.each([
  ['kubernetes.yaml', script, container?.env?.map(({ name }) => name) ?? []],
  ['compose.yaml', composeScript.replaceAll('$$', '$'), Object.keys(services['parley']?.environment ?? {})],
])('%s starts the command with flags and variables that it has', (_file, line, variables) => {
  const flags = flagsIn(line);
  for (const flag of flags.keys()) expect(serveCommand).toContain(`'${flag} <`);
  expect([...flags.keys()]).toEqual(expect.arrayContaining(['--host', '--workspace', '--secrets-key']));
  expect(flags.get('--port')).toBe('7717');
  // Read by the command, or by the shell that starts it.
  expect(variables).toContain('PARLEY_STORE');
  expect(variables.filter((name) => name !== 'PARLEY_STORE' && !line.includes(`$${name}`))).toEqual([]);
  const used = [...line.matchAll(/\$(\w+)/gu)].map(([, name = '']) => name);
  expect(used.filter((name) => !variables.includes(name))).toEqual([]);
});

test('the stores of the manifests are their databases, with their users', () => {
  const stores = [
    container?.env?.find(({ name }) => name === 'PARLEY_STORE')?.value,
    services['parley']?.environment?.['PARLEY_STORE'],
  ];
  const settings = [
    new Map(
      named('StatefulSet', 'database').spec.template.spec.containers[0]?.env?.map(({ name, value }) => [
        name,
        value,
      ]),
    ),
    new Map(Object.entries(services['database']?.environment ?? {})),
  ];
  for (const [index, PARLEY_STORE = ''] of stores.entries()) {
    const store = parseStore(undefined, { cwd: '/', env: { PARLEY_STORE } });
    const url = new URL(store?.kind === 'database' ? store.url : '');
    expect([url.hostname, url.password]).toEqual(['database', '']);
    expect(url.username).toBe(settings[index]?.get('POSTGRES_USER'));
    expect(url.pathname).toBe(`/${String(settings[index]?.get('POSTGRES_DB'))}`);
  }
});

test('what compose.yaml refers to exists, and what is waited for has a health check', () => {
  for (const { secrets = [], configs = [], volumes = [], depends_on: others = {} } of Object.values(
    services,
  )) {
    for (const secret of secrets) expect(Object.keys(composition?.secrets ?? {})).toContain(secret);
    for (const { source } of configs) expect(Object.keys(composition?.configs ?? {})).toContain(source);
    for (const volume of volumes) {
      expect(Object.keys(composition?.volumes ?? {})).toContain(volume.split(':')[0]);
    }
    for (const name of Object.keys(others)) expect(services[name]?.healthcheck).toBeDefined();
  }
  expect(services['parley']?.healthcheck?.test.join(' ')).toContain('http://127.0.0.1:7717/readyz');
  const { context = '', dockerfile: file = '' } = services['parley']?.build ?? {};
  expect(existsSync(new URL(`../docs/scale/${context}/${file}`, import.meta.url))).toBe(true);
  const { content = '' } = composition?.configs['caddyfile'] ?? {};
  expect(content).toContain('health_uri /readyz');
  const replicas = Array.from(
    { length: services['parley']?.deploy?.replicas ?? 0 },
    (_, index) => `parley-parley-${String(index + 1)}:7717`,
  );
  expect(content).toContain(`to ${replicas.join(' ')}\n`);
});

test('the image has the user, the folders and the programs that the manifests use', () => {
  const user = String(parley.template.spec.securityContext?.runAsUser);
  expect(dockerfile).toContain(`useradd --uid ${user} `);
  expect(dockerfile).toContain('EXPOSE 7717');
  expect(dockerfile).toContain('ENV XDG_STATE_HOME=/state');
  expect(dockerfile).toMatch(/apt-get install .*\btini\b/u);
  for (const folder of container?.volumeMounts?.map(({ mountPath }) => mountPath) ?? []) {
    expect(dockerfile).toMatch(new RegExp(`install -d .*${folder}\\b`, 'u'));
  }
});
