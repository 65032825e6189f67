import type { SessionConfigOption } from '@parley/acp';
import type { AgentSession, SignalOptions } from '../agent-session/agent-session.ts';

/** The mode of a session, and how it is set. */
interface CurrentMode {
  readonly current: string;
  readonly offered: readonly string[];
  set(mode: string): Promise<void>;
}

/** What a session has and does of modes. */
type DelegateModes = Pick<AgentSession, 'modes' | 'configOptions' | 'setMode' | 'setOption'>;

/** Modes in which agents change nothing, by the ids that they have for them. */
const readingModes: readonly string[] = ['plan', 'read-only', 'readonly'];

/** The session whose mode a delegate may not exceed. */
export interface ParentMode {
  readonly agent: string;
  readonly session: Pick<AgentSession, 'modes' | 'configOptions'> | undefined;
}

/**
 * Sets the mode of a delegate: that of its parent for the same agent; else one that only reads if the parent's does; else the one in
 * which it asks before it acts.
 *
 * @throws {Error} The parent only reads, and the delegate has no such mode.
 */
export async function setDelegateMode(
  session: DelegateModes,
  { agent, askMode, signal }: { readonly agent: string; readonly askMode?: string } & SignalOptions,
  parent: ParentMode,
): Promise<void> {
  const mode = modeOf(session, { ...(signal !== undefined && { signal }) });
  const wanted = parent.session === undefined ? undefined : modeIn(parent.session)?.current;
  const offered = mode?.offered ?? [];
  if (wanted !== undefined && agent === parent.agent && offered.includes(wanted)) {
    if (mode?.current !== wanted) await mode?.set(wanted);
    return;
  }
  if (wanted !== undefined && readingModes.includes(wanted)) {
    const reading = [wanted, ...readingModes].find((each) => offered.includes(each));
    if (reading === undefined) {
      throw new Error(
        `${agent} cannot be started: this session is in the mode "${wanted}", and ${agent} has no mode that only reads`,
      );
    }
    if (mode?.current !== reading) await mode?.set(reading);
    return;
  }
  if (askMode !== undefined && offered.includes(askMode) && mode?.current !== askMode) {
    await mode?.set(askMode);
  }
}

function modeOf(session: DelegateModes, options: SignalOptions): CurrentMode | undefined {
  const found = modeIn(session);
  if (found === undefined) return undefined;
  const { optionId } = found;
  return {
    ...found,
    set: (mode) =>
      optionId === undefined ? session.setMode(mode, options) : session.setOption(optionId, mode, options),
  };
}

/**
 * The modes of a session. ACP v1, Session Config Options: if an agent reports both, the modes repeat a config option.
 */
function modeIn({
  modes,
  configOptions = [],
}: Pick<AgentSession, 'modes' | 'configOptions'>):
  | { readonly current: string; readonly offered: readonly string[]; readonly optionId?: string }
  | undefined {
  const option = configOptions.find(({ id, category }) => category === 'mode' || id === 'mode');
  if (option?.type === 'select') {
    return { current: option.currentValue, offered: valuesOf(option), optionId: option.id };
  }
  if (modes === undefined) return undefined;
  return { current: modes.currentModeId, offered: modes.availableModes.map(({ id }) => id) };
}

function valuesOf(option: Extract<SessionConfigOption, { readonly type: 'select' }>): readonly string[] {
  return option.options.flatMap((item) =>
    'group' in item ? item.options.map(({ value }) => value) : [item.value],
  );
}
