import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentRequirements, checkAgent, clientRequirements, processProgram } from '@parley/conformance';
import type { CheckResult, ConformanceCard } from '@parley/conformance';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { cleanEnv, commandFile, parley, temporaryFolder } from './command.ts';

const agents = fileURLToPath(new URL('agents/', import.meta.url));
const ahead = fileURLToPath(new URL('../../../scripts/generate/ahead-of-schema.mjs', import.meta.url));

/** What does not apply to our agent. */
const skipped = ['ACP-PROMPTCAP-002', 'ACP-CONFIG-102', 'ACP-AUTH-003', 'ACP-AUTH-004'];

const idsOf = (checks: readonly CheckResult[], outcome: CheckResult['outcome']): readonly string[] =>
  checks.filter((check) => check.outcome === outcome).map(({ id }) => id);

test(
  'parley agent fails no check, and all it sends matches the published schema',
  { timeout: 120_000 },
  async () => {
    await using home = await temporaryFolder();
    const judge = await createJudge();
    const faults: string[] = [];
    let received = 0;
    const env = { ...without(process.env), ...cleanEnv(home.path) };
    const program = processProgram([process.execPath, commandFile, 'agent'], { cwd: home.path, env });
    const { target, checks } = await checkAgent(program, {
      onMessage: (message, answered) => {
        received += 1;
        const fault = judge(message, answered?.method);
        if (fault !== undefined) faults.push(fault);
      },
    });
    expect(target.name).toBe('parley');
    expect(checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(idsOf(checks, 'skipped')).toEqual(skipped);
    expect(received).toBeGreaterThan(100);
    expect(faults).toEqual([]);

    // The command has the same card.
    const { status, stdout } = await parley(
      ['check', '--format', 'json', '--', process.execPath, commandFile, 'agent'],
      {
        cwd: home.path,
      },
    );
    expect(JSON.parse(stdout)).toEqual({
      target,
      checks,
      summary: { passed: checks.length - skipped.length, failed: 0, skipped: skipped.length },
    });
    expect(status).toBe(0);
  },
);

test(
  'an agent on the official SDK fails no required check; what it does not declare is skipped',
  { timeout: 120_000 },
  async () => {
    const programs = process.env['PARLEY_TEST_PROGRAMS'] ?? '';
    const command = [process.execPath, path.join(programs, 'cli', 'test', 'agents', 'official.js')];
    const program = processProgram(command, { cwd: agents });
    const { checks } = await checkAgent(program, { prompts: { long: 'long' } });
    expect(checks.map(({ id }) => id)).toEqual(agentRequirements.map(({ id }) => id));
    expect(checks.filter(({ outcome, level }) => outcome === 'failed' && level === 'required')).toEqual([]);
    const ofLoad = checks.filter(({ id }) => id.startsWith('ACP-LOAD'));
    expect(idsOf(ofLoad, 'skipped')).toEqual(ofLoad.map(({ id }) => id));
  },
);

test.each([
  ['in a new session', ['hello'], /LOAD|TERM-10[23]/u],
  ['with commands allowed', ['--approve', 'all', 'hello'], /LOAD/u],
  [
    'in a stored session',
    ['--session', 'parley-check-stored', 'hello'],
    /^(?!CLIENT-(?:INIT|LOAD|TRANSPORT|SCHEMA))/u,
  ],
] as const)(
  'parley run %s fails no check of clients, and each check applies but those of what it does not do',
  { timeout: 120_000 },
  async (_name, words, others) => {
    await using home = await temporaryFolder();
    const client = [process.execPath, commandFile, 'run', ...words, '--', '{agent}'];
    const { stdout, status } = await parley(['check', '--client', '--format', 'json', '--', ...client], {
      cwd: home.path,
    });
    const { target, checks }: ConformanceCard = JSON.parse(stdout);
    expect(target.name).toBe('parley');
    expect(checks.filter(({ id, outcome }) => outcome !== 'passed' && !others.test(id))).toEqual([]);
    expect(checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(checks).toHaveLength(clientRequirements.length);
    expect(status).toBe(0);
  },
);

test('a program that cannot be started fails initialize, and other checks are skipped', async () => {
  await using home = await temporaryFolder();
  const { status, stdout } = await parley(['check', '--', '/nowhere/agent'], { cwd: home.path });
  expect(status).toBe(1);
  expect(stdout).toContain('ACP-INIT-001');
  expect(stdout).toContain('command not found');
  expect(stdout).toContain(
    `0 passed, 1 failed (1 required, 0 recommended), ${agentRequirements.length - 1} skipped`,
  );
});

test.each([
  [['check'], 'expected a command line after --'],
  [['check', '--format', 'pdf', '--', 'agent'], '--format pdf: expected text, json, junit, svg'],
  [['check', '--client', '--', 'client'], 'expected {agent} in the command line'],
  [['check', '--timeout', '0', '--', 'agent'], '--timeout 0: expected a number of seconds'],
])('%j is wrong usage', async (words, message) => {
  const { status, stderr } = await parley(words);
  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

test('an agent that writes endlessly is terminated', { timeout: 120_000 }, async () => {
  const flood = 'const more = () => process.stdout.write("x".repeat(1024 * 1024), more); more();';
  const program = processProgram([process.execPath, '-e', flood], { cwd: agents });
  const { checks } = await checkAgent(program, {
    requirements: agentRequirements.filter(({ id }) => id === 'ACP-INIT-001'),
  });
  expect(checks).toMatchObject([
    { outcome: 'failed', detail: expect.stringContaining('it wrote more than 67108864 bytes') },
  ]);
});

/** Every variable of an environment, removed. */
function without(env: NodeJS.ProcessEnv): Record<string, undefined> {
  return Object.fromEntries(Object.keys(env).map((name) => [name, undefined]));
}

type Judge = (message: Readonly<Record<string, unknown>>, answered: string | undefined) => string | undefined;

interface Schema {
  readonly $defs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

async function readSchema(name: string): Promise<Schema> {
  const url = import.meta.resolve(`@agentclientprotocol/sdk/schema/v1/${name}`);
  return JSON.parse(await readFile(fileURLToPath(url), 'utf8')) as Schema;
}

/** Judges by the JSON Schema that the official SDK publishes, with the sub-agents that it does not have yet. */
async function createJudge(): Promise<Judge> {
  const [stable, unstable] = await Promise.all(['schema.json', 'schema.unstable.json'].map(readSchema));
  if (stable === undefined || unstable === undefined) throw new Error('the SDK has no schemas');
  const { aheadOfSchema } = (await import(ahead)) as {
    aheadOfSchema: (published: object) => { readonly stable: Schema };
  };
  const { stable: schema } = aheadOfSchema({ stable, unstable });
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(schema, 'acp');
  const names = new Map(
    Object.entries(schema.$defs).flatMap(([name, node]) =>
      typeof node['x-method'] === 'string' ? [[`${node['x-method']} ${kindOf(name)}`, name] as const] : [],
    ),
  );
  return (message, answered) => {
    const { method, params, result } = message;
    const name =
      typeof method === 'string' ? names.get(`${method} params`) : names.get(`${answered ?? ''} result`);
    const value = typeof method === 'string' ? params : result;
    if (name === undefined || value === undefined) return undefined;
    return ajv.validate({ $ref: `acp#/$defs/${name}` }, value)
      ? undefined
      : `${name}: ${ajv.errorsText()}: ${JSON.stringify(value).slice(0, 300)}`;
  };
}

function kindOf(name: string): string {
  return name.endsWith('Response') ? 'result' : 'params';
}
