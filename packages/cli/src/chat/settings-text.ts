import type { SessionConfigOption } from '@parley/acp';
import type { AgentSession, HeldBy } from '@parley/host';
import { toPlainLine } from '../output/plain.ts';

/** What can be chosen for the mode or the model of a session, and what is chosen now. */
export interface Offer {
  readonly current?: string;
  readonly choices: readonly { readonly id: string; readonly name: string }[];
}

/** What a session offers as its mode. */
export function modesOf(session: Pick<AgentSession, 'modes' | 'configOptions'>): Offer {
  const option = optionOf(session.configOptions, 'mode');
  if (option !== undefined) return option;
  const { modes } = session;
  if (modes === undefined) return { choices: [] };
  return {
    current: modes.currentModeId,
    choices: modes.availableModes.map(({ id, name }) => ({ id, name })),
  };
}

/** What a session offers as its model. */
export function modelsOf(session: Pick<AgentSession, 'models' | 'configOptions'>): Offer {
  const option = optionOf(session.configOptions, 'model');
  if (option !== undefined) return option;
  const current = session.models?.find(({ isCurrent }) => isCurrent)?.modelId;
  return {
    ...(current !== undefined && { current }),
    choices: (session.models ?? []).map(({ modelId, name }) => ({ id: modelId, name: name ?? modelId })),
  };
}

/** The mode, the model and the sandbox of a session in one line; undefined where it has none of them. */
export function toStatus(
  session: Pick<AgentSession, 'modes' | 'models' | 'configOptions'>,
  sandbox?: HeldBy,
): string | undefined {
  const settings = [modesOf(session), modelsOf(session)].flatMap(({ current, choices }) =>
    current === undefined ? [] : [choices.find(({ id }) => id === current)?.name ?? current],
  );
  const names = sandbox === undefined ? settings : [...settings, sandboxText(sandbox)];
  return names.length === 0 ? undefined : names.map((name) => toPlainLine(name, 60)).join(' · ');
}

function sandboxText({ mode, autoApprove }: HeldBy): string {
  return `sandbox: ${mode}${autoApprove === true ? ', commands approved' : ''}`;
}

/** An offer as lines, with a mark before what is chosen now. */
export function showOffer({ current, choices }: Offer): string {
  if (choices.length === 0) return 'The agent offers no choices.\n';
  return choices
    .map(
      ({ id, name }) =>
        `  ${id === current ? '*' : ' '} ${toPlainLine(id)}${name === id ? '' : `  ${toPlainLine(name)}`}\n`,
    )
    .join('');
}

/** ACP, Session Config Options: they come before the older modes; categories are hints, so the id counts as well. */
function optionOf(
  options: readonly SessionConfigOption[] | undefined,
  category: 'mode' | 'model',
): Offer | undefined {
  const option =
    options?.find((candidate) => candidate.category === category) ??
    options?.find(({ id }) => id === category);
  if (option?.type !== 'select') return undefined;
  return {
    current: option.currentValue,
    choices: option.options
      .flatMap((item) => ('group' in item ? item.options : [item]))
      .map(({ value, name }) => ({ id: value, name })),
  };
}
