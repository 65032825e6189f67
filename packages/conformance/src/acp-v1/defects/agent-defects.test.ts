import { expect, test } from 'vitest';
import { agentRequirements, checkAgent, type CheckAgentOptions } from '../check-agent.ts';
import type { CheckResult } from '../requirement.ts';
import { agentDefects } from './agent-defects.fixture.ts';
import { Refusal, type SeededAgent, seededProgram } from './seeded-agent.fixture.ts';

const options: CheckAgentOptions = { closeGraceMs: 500, quietMs: 30, atOnce: 8 };

async function resultsOf(
  change: (agent: SeededAgent) => void,
  more: CheckAgentOptions = {},
): Promise<readonly CheckResult[]> {
  const { checks } = await checkAgent(seededProgram(change), { ...options, ...more });
  return checks;
}

const failed = (results: readonly CheckResult[]): readonly string[] =>
  results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);

test('after authenticate a session opens, or the check fails', async () => {
  const requirements = agentRequirements.filter(({ id }) => id === 'ACP-AUTH-003');
  const refuse = (agent: SeededAgent): void => {
    agent.methods['session/new'] = () => {
      throw new Refusal(-32_000);
    };
  };
  expect(failed(await resultsOf(refuse, { authMethodId: 'login', requirements }))).toEqual(['ACP-AUTH-003']);
});

test('no check fails for an agent that does everything right, and each one applies', async () => {
  const results = await resultsOf(() => undefined, { authMethodId: 'login', allowLogout: true });
  const others = results.filter(({ id, outcome }) => outcome !== 'passed' && id !== 'ACP-AUTH-005');
  expect(others).toEqual([]);
});

test('an agent may refuse some of its modes; one that refuses all of them fails', async () => {
  const requirements = agentRequirements.filter(({ id }) => id === 'ACP-MODES-002');
  const offering =
    (refused: readonly string[]) =>
    (agent: SeededAgent): void => {
      const [open, set] = [agent.methods['session/new'], agent.methods['session/set_mode']];
      const availableModes = ['a', 'b', 'c'].map((id) => ({ id, name: id }));
      agent.methods['session/new'] = (params) => ({
        ...(open?.(params) as object),
        modes: { currentModeId: 'a', availableModes },
      });
      agent.methods['session/set_mode'] = (params) => {
        if (refused.includes(String(params['modeId']))) throw new Refusal(-32_603);
        return set?.(params);
      };
    };
  expect(failed(await resultsOf(offering(['b']), { requirements }))).toEqual([]);
  expect(failed(await resultsOf(offering(['b', 'c']), { requirements }))).toEqual(['ACP-MODES-002']);
});

test('an agent that chooses other ids each time has the same card', async () => {
  const faulty =
    (run: string) =>
    (agent: SeededAgent): void => {
      const open = agent.methods['session/new'];
      agent.methods['session/new'] = (params) =>
        typeof params['cwd'] === 'string' ? open?.(params) : { sessionId: `s-${run}` };
      const update = agent.update.bind(agent);
      agent.update = (sessionId, { toolCallId, ...fields }) => {
        update(sessionId, {
          ...fields,
          ...(toolCallId !== undefined && { toolCallId: `call-${run}` }),
          ...(fields['sessionUpdate'] === 'tool_call_update' && { status: 'in_progress' }),
        });
      };
    };
  const [first, second] = [await resultsOf(faulty('Vy7h')), await resultsOf(faulty('k0Qm9zzz'))];
  expect(failed(first)).toEqual(expect.arrayContaining(['ACP-SESSION-101', 'ACP-TOOL-104']));
  expect(second).toEqual(first);
  expect(first.find(({ id }) => id === 'ACP-SESSION-101')).toMatchObject({
    detail: expect.stringContaining('"sessionId":"<session 1>"'),
  });
});

test('there are at least 60 defects, and each requirement is failed by one of them', () => {
  expect(agentDefects.length).toBeGreaterThanOrEqual(60);
  const noticed = new Set(agentDefects.flatMap(({ fails }) => fails));
  const missing = agentRequirements.map(({ id }) => id).filter((id) => !noticed.has(id));
  // It needs a method that was chosen: below.
  expect(missing).toEqual(['ACP-AUTH-003']);
});

test.concurrent.each(agentDefects)(
  'an agent that $what fails $fails',
  { timeout: 60_000 },
  async ({ change, fails, isSilent }) => {
    const limit = isSilent === true ? { timeoutMs: 1500 } : {};
    const results = await resultsOf(change, { allowLogout: true, ...limit });
    expect(failed(results).toSorted()).toEqual(fails.toSorted());
  },
);
