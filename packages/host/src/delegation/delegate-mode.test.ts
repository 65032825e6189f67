import { expect, test } from 'vitest';
import type { AgentSession } from '../agent-session/agent-session.ts';
import { setDelegateMode, type ParentMode } from './delegate-mode.ts';

interface Modes {
  readonly current: string;
  readonly offered: readonly string[];
}

function modesOf({ current, offered }: Modes) {
  return { currentModeId: current, availableModes: offered.map((id) => ({ id, name: id })) };
}

function parentIn(agent: string, modes?: Modes): ParentMode {
  return { agent, session: modes && { modes: modesOf(modes), configOptions: [] } };
}

/** What is set in the session of a delegate, over the modes of ACP or over a configuration option. */
async function settingsOf(
  own: Modes | undefined,
  { by = 'modes', askMode, parent }: { by?: 'modes' | 'option'; askMode?: string; parent: ParentMode },
): Promise<readonly unknown[]> {
  const set: unknown[] = [];
  const note = (...setting: readonly unknown[]): Promise<void> => {
    set.push(setting.filter((each) => typeof each === 'string'));
    return Promise.resolve();
  };
  const option = own && {
    id: 'how',
    name: 'Mode',
    category: 'mode',
    type: 'select' as const,
    currentValue: own.current,
    options: own.offered.map((value) => ({ value, name: value })),
  };
  const session: Pick<AgentSession, 'modes' | 'configOptions' | 'setMode' | 'setOption'> = {
    modes: own && by === 'modes' ? modesOf(own) : undefined,
    configOptions: option && by === 'option' ? [option] : [],
    setMode: note,
    setOption: note,
  };
  await setDelegateMode(session, { agent: 'member', ...(askMode !== undefined && { askMode }) }, parent);
  return set;
}

const free: Modes = { current: 'auto', offered: ['auto', 'ask'] };
const reading: Modes = { current: 'auto', offered: ['auto', 'ask', 'read-only'] };

test.each([
  ['a delegate of the same agent has the mode of its parent', 'member', 'ask', reading, [['ask']]],
  ['one that has that mode already is left in it', 'member', 'auto', reading, []],
  ['below a parent that only reads, a delegate only reads', 'lead', 'plan', reading, [['read-only']]],
  ['below any other parent, a delegate asks before it acts', 'lead', 'auto', reading, [['ask']]],
  ['an agent without modes is left as it is', 'lead', 'auto', undefined, []],
] as const)('%s', async (_what, parentAgent, wanted, own, expected) => {
  const parent = parentIn(parentAgent, { current: wanted, offered: [wanted] });

  expect(await settingsOf(own, { askMode: 'ask', parent })).toEqual(expected);
  const byOption = await settingsOf(own, { by: 'option', askMode: 'ask', parent });
  expect(byOption).toEqual(expected.map(([mode]) => ['how', mode]));
});

test.each([free, undefined])(
  'below a parent that only reads, an agent that cannot is not started',
  async (own) => {
    const parent = parentIn('lead', { current: 'plan', offered: ['plan'] });

    await expect(settingsOf(own, { askMode: 'ask', parent })).rejects.toThrow(
      'member cannot be started: this session is in the mode "plan", and member has no mode that only reads',
    );
  },
);
