import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentRequirements, checkAgent, checkRequirement } from '@parley/conformance';
import type { AgentRequirement, CheckOptions, CheckResult } from '@parley/conformance';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanEnv, commandFile, temporaryFolder } from './command.ts';

const agents = fileURLToPath(new URL('agents/', import.meta.url));
const ids = agentRequirements.map(({ id }) => id);

/** What makes the scripted agents answer at once, or only when they are cancelled. */
const prompts = { plain: 'hello', work: 'hello', long: 'long' };

/** The command line of an agent that does this wrong. */
function wrong(fault: string): readonly string[] {
  return [process.execPath, path.join(agents, 'wrong.mjs'), fault];
}

/** The check of this id with the agent of this command line. */
function check(id: string, command: readonly string[], options: CheckOptions = {}): Promise<CheckResult> {
  return checkRequirement(requirement(id), command, options);
}

function requirement(id: string): AgentRequirement {
  const found = agentRequirements.find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no requirement ${id}`);
  return found;
}

test('there are the 56 ids of the public kit: 21 mandatory, 19 capability, 12 advisory, 4 informational', () => {
  expect(new Set(ids).size).toBe(56);
  const count = (tier: string): number => agentRequirements.filter((each) => each.tier === tier).length;
  expect(['mandatory', 'capability', 'advisory', 'informational'].map(count)).toEqual([21, 19, 12, 4]);
});

describe('parley agent', () => {
  let home: Awaited<ReturnType<typeof temporaryFolder>>;
  let judge: Judge;
  const faults: string[] = [];
  let heard = 0;

  beforeAll(async () => {
    home = await temporaryFolder();
    judge = await createJudge();
  });
  afterAll(() => home[Symbol.asyncDispose]());

  const options = (): CheckOptions => ({
    env: { ...without(process.env), ...cleanEnv(home.path) },
    prompts: {
      plain: 'say: hello',
      work: 'think: hm\nplan: one; two\nread README.md\nlist .\nwrite a.txt: x\nrun echo hello\nask: Really?\nsay: done',
      long: 'say: working\nsleep 3600',
    },
    onMessage: (message, answered) => {
      heard += 1;
      const fault = judge(message, answered?.method);
      if (fault !== undefined) faults.push(fault);
    },
  });

  test.concurrent.each(agentRequirements)('$id: $title', async ({ id, tier }) => {
    const result = await check(id, [process.execPath, commandFile, 'agent'], options());
    const expected = deviations.get(id) ?? { outcome: tier === 'informational' ? 'recorded' : 'pass' };
    expect(result).toMatchObject(expected);
  });

  // After the concurrent ones, of which it hears everything.
  test('the published schema, read by a validator that is not ours, finds nothing wrong with what it said', async () => {
    await check('ACP-SCHEMA-001', [process.execPath, commandFile, 'agent'], options());
    expect(heard).toBeGreaterThan(30);
    expect(faults).toEqual([]);
    await check('ACP-SCHEMA-001', wrong('a kind of its own'), { ...options(), prompts });
    expect(faults).toContainEqual(expect.stringContaining('SessionNotification'));
  });
});

/** Where the agent is as it is on purpose, or the check needs what it does not have. */
const deviations: ReadonlyMap<string, Partial<CheckResult>> = new Map<string, Partial<CheckResult>>([
  // Source document 001, C.10: the answer to session/set_mode carries the mode.
  ['ACP-SCHEMA-002', { outcome: 'fail', reason: 'the result of session/set_mode: modeId' }],
  ['ACP-PROMPTCAP-002', { outcome: 'skipped', reason: 'promptCapabilities.audio is not declared' }],
  ['ACP-AUTH-003', { outcome: 'skipped' }],
  ['ACP-AUTH-004', { outcome: 'skipped', reason: 'auth.logout is not declared' }],
]);

/** Everything that stands in an environment, taken away. */
function without(env: NodeJS.ProcessEnv): Record<string, undefined> {
  return Object.fromEntries(Object.keys(env).map((name) => [name, undefined]));
}

describe('an agent on the official SDK', () => {
  test('meets what is mandatory; what it does not declare is skipped', async () => {
    const command = [process.execPath, path.join(agents, 'official.mjs')];
    const some = agentRequirements.filter(({ id, tier }) => tier === 'mandatory' || id.startsWith('ACP-L'));
    const results: CheckResult[] = [];
    for await (const result of checkAgent(command, { requirements: some, prompts, atOnce: 4 })) {
      results.push(result);
    }
    expect(results.map(({ id }) => id)).toEqual(some.map(({ id }) => id));
    expect(results.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    const skipped = results.filter(({ outcome }) => outcome === 'skipped').map(({ id }) => id);
    expect(skipped).toEqual(ids.filter((id) => id.startsWith('ACP-L')));
  });
});

describe('an agent that does one thing wrong fails exactly that', () => {
  test('passes for an agent that does nothing wrong', async () => {
    const failed: CheckResult[] = [];
    for await (const result of checkAgent(wrong(''), {
      prompts,
      atOnce: 4,
      allowLogout: true,
      authMethodId: 'a',
    })) {
      const expected = result.tier === 'informational' ? 'recorded' : 'pass';
      if (result.outcome !== expected) failed.push(result);
    }
    expect(failed).toEqual([]);
  });

  test.concurrent.each([
    ['ACP-TRANSPORT-001', 'talk on standard output', 'it is not JSON'],
    ['ACP-TRANSPORT-002', 'other bytes', 'is not UTF-8'],
    ['ACP-JSONRPC-001', 'ids as texts', 'did not come'],
    ['ACP-JSONRPC-002', 'both result and error', 'error'],
    ['ACP-JSONRPC-002', 'a code that is a text', 'whole number'],
    ['ACP-JSONRPC-003', 'answers to notifications', 'a notification was answered'],
    ['ACP-JSONRPC-004', 'a code of its own', '-1'],
    ['ACP-JSONRPC-005', 'an exit at an error', 'exited with status 3'],
    ['ACP-INIT-001', 'no initialize', 'initialize was answered'],
    ['ACP-INIT-001', 'a bad initialize', 'protocolVersion'],
    ['ACP-INIT-002', 'another version', 'answered with 2'],
    ['ACP-INIT-003', 'an echo of the version', 'was echoed'],
    ['ACP-INIT-004', 'no name', 'agentInfo.name'],
    ['ACP-SCHEMA-001', 'a kind of its own', 'update.kind'],
    ['ACP-SCHEMA-001', 'an unknown update', 'update'],
    ['ACP-SCHEMA-002', 'a field of its own', 'initialize: mine'],
    ['ACP-SESSION-001', 'no session id', 'gave no id'],
    ['ACP-SESSION-002', 'one id for all', 'have the id same'],
    ['ACP-ADDDIRS-001', 'no further directory', 'session/new'],
    ['ACP-PROMPT-001', 'a reason of its own', 'the stop reason is "done"'],
    ['ACP-PROMPT-002', 'updates of another session', 'of the session "another"'],
    ['ACP-PROMPT-002', 'a kind of its own', 'update.kind'],
    ['ACP-PROMPT-003', 'no resource_link', 'session/prompt'],
    ['ACP-PROMPTCAP-001', 'no image', 'session/prompt'],
    ['ACP-PROMPTCAP-002', 'no audio', 'session/prompt'],
    ['ACP-PROMPTCAP-003', 'no resource', 'session/prompt'],
    ['ACP-CANCEL-001', 'an error at cancel', 'aborted'],
    ['ACP-CANCEL-001', 'no word of the cancel', 'end_turn'],
    ['ACP-CANCEL-002', 'an update too late', 'after the answer'],
    ['ACP-LOAD-001', 'no load', 'session/load'],
    ['ACP-LOAD-002', 'a silent load', 'before the answer came'],
    ['ACP-LOAD-003', 'null from load', 'null'],
    ['ACP-RESUME-001', 'no resume', 'session/resume'],
    ['ACP-RESUME-002', 'a resume with history', 'before the answer came'],
    ['ACP-LIST-001', 'a list of nothing', 'the result is {}'],
    ['ACP-LIST-002', 'a list of everything', 'the result is'],
    ['ACP-DELETE-001', 'a delete that keeps', 'still listed'],
    ['ACP-DELETE-002', 'a delete once', 'gone'],
    ['ACP-CLOSE-001', 'no close', 'session/close'],
    ['ACP-CLOSE-002', 'a close that waits', 'end_turn'],
    ['ACP-MODES-001', 'no such mode', 'the mode is "z"'],
    ['ACP-MODES-002', 'a mode by another name', 'reported as'],
    ['ACP-CONFIG-001', 'an option without its value', 'loud'],
    ['ACP-CONFIG-002', 'half the options', 'was set to'],
    ['ACP-CONFIG-003', 'a boolean option', 'has the option'],
    ['ACP-AUTH-001', 'methods with one id', 'share an id'],
    ['ACP-AUTH-002', 'a terminal method', 'terminal'],
    ['ACP-AUTH-003', 'it wants a login', '-32000'],
    ['ACP-AUTH-004', 'no logout', 'logout'],
    ['ACP-AUTH-005', 'it wants a login', 'asks for authentication'],
    ['ACP-CLIENTCAP-001', 'files', 'fs/read_text_file'],
    ['ACP-CLIENTCAP-002', 'terminals', 'terminal/create'],
    ['ACP-CLIENTCAP-003', 'elicitations', 'elicitation/create'],
    ['ACP-EXT-001', 'silence', 'did not come'],
    ['ACP-META-001', 'no _meta', '_meta'],
    ['ACP-ERROR-001', 'a long error', 'one\\ntwo'],
    ['ACP-SHUTDOWN-001', 'no end', 'still runs'],
  ])('%s: %s', async (id, fault, why) => {
    const quick = {
      timeoutMs: quickIds.has(id) ? 1000 : 30_000,
      closeGraceMs: quickIds.has(id) ? 500 : 2000,
    };
    const login = id === 'ACP-AUTH-003' ? { authMethodId: 'a' } : {};
    const result = await check(id, wrong(fault), { prompts, allowLogout: true, ...login, ...quick });
    expect(result).toMatchObject({ id, outcome: 'fail', reason: expect.stringContaining(why) });
  });
});

test('an agent that cannot be started fails by name', async () => {
  expect(await check('ACP-INIT-001', ['/nowhere/agent'])).toMatchObject({
    outcome: 'fail',
    reason: expect.stringContaining('"/nowhere/agent"'),
  });
});

test('checks come in the order of the requirements, and an abort begins no more of them', async () => {
  const aborting = new AbortController();
  const seen: string[] = [];
  for await (const { id } of checkAgent(wrong(''), { prompts, atOnce: 2, signal: aborting.signal })) {
    seen.push(id);
    if (seen.length === 3) aborting.abort();
  }
  expect(seen).toEqual(ids.slice(0, seen.length));
  expect(seen.length).toBeLessThan(8);
});

test('an agent that writes without end is ended', async () => {
  expect(await check('ACP-PROMPT-001', wrong('a flood'), { prompts })).toMatchObject({
    outcome: 'fail',
    reason: expect.stringContaining('it wrote more than 67108864 bytes'),
  });
});

/** The checks whose failure is that nothing comes: they take as long as the patience. */
const quickIds: ReadonlySet<string> = new Set(['ACP-JSONRPC-001', 'ACP-EXT-001', 'ACP-SHUTDOWN-001']);

type Judge = (message: Readonly<Record<string, unknown>>, answered: string | undefined) => string | undefined;

/** Judges by the JSON Schema that the official SDK publishes. */
async function createJudge(): Promise<Judge> {
  const url = import.meta.resolve('@agentclientprotocol/sdk/schema/v1/schema.json');
  const schema: { $defs: Record<string, Record<string, unknown>> } = JSON.parse(
    await readFile(fileURLToPath(url), 'utf8'),
  );
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
