import type { SessionConfigOption } from '@parley/acp';
import { shorten } from '@parley/wire';
import { HostError } from '../../host-error.ts';
import type { Settings } from './settings.ts';

/** The request that changes a setting. */
export type Change =
  | { readonly by: 'option'; readonly configId: string; readonly value: string | boolean }
  | { readonly by: 'mode'; readonly modeId: string }
  | { readonly by: 'agentao-model'; readonly model: string }
  | { readonly by: 'legacy-model'; readonly modelId: string };

/** How to set the mode. ACP v1, Session Config Options: an option of that category comes before the older modes. */
export function chooseMode(settings: Settings, modeId: string): Change {
  const option = optionOf(settings, 'mode');
  const values = valuesOf(option);
  if (option !== undefined && values.includes(modeId)) return setTo(option, modeId);
  const modeIds = settings.modes?.availableModes.map((mode) => mode.id) ?? [];
  if (modeIds.includes(modeId)) return { by: 'mode', modeId };
  throw notOffered(`mode ${quote(modeId)}`, [...new Set([...values, ...modeIds])]);
}

/**
 * Chooses the request that sets the model: a config option of category `model`, else Agentao's extension, which
 * accepts any name, else the legacy `session/set_model`.
 */
export function chooseModel(settings: Settings, model: string, takesAnyName: boolean): Change {
  const option = optionOf(settings, 'model');
  const values = valuesOf(option);
  if (option !== undefined && values.includes(model)) return setTo(option, model);
  if (takesAnyName) return { by: 'agentao-model', model };
  const modelIds = settings.models?.map(({ modelId }) => modelId) ?? [];
  if (modelIds.includes(model)) return { by: 'legacy-model', modelId: model };
  throw notOffered(`model ${quote(model)}`, [...new Set([...values, ...modelIds])]);
}

/** Chooses the request that sets an option by its id. A boolean option also accepts the words `true` and `false`. */
export function chooseConfigOption(settings: Settings, id: string, value: string | boolean): Change {
  const options = settings.configOptions ?? [];
  const option = options.find((candidate) => candidate.id === id);
  if (option === undefined) {
    throw notOffered(
      `option ${quote(id)}`,
      options.map((candidate) => candidate.id),
    );
  }
  const values = valuesOf(option);
  if (!values.includes(String(value))) {
    throw notOffered(`value ${quote(value)} of option ${quote(id)}`, values);
  }
  return {
    by: 'option',
    configId: id,
    value: option.type === 'boolean' ? String(value) === 'true' : String(value),
  };
}

/** The option of a category. Categories are only a hint, so an option that is simply called so will do. */
function optionOf(settings: Settings, category: 'mode' | 'model'): SessionConfigOption | undefined {
  const options = settings.configOptions ?? [];
  return (
    options.find((option) => option.category === category) ?? options.find((option) => option.id === category)
  );
}

function valuesOf(option: SessionConfigOption | undefined): readonly string[] {
  switch (option?.type) {
    case 'select':
      return option.options.flatMap((item) =>
        'group' in item ? item.options.map(({ value }) => value) : [item.value],
      );
    case 'boolean':
      return ['true', 'false'];
    case 'unknown':
    case undefined:
      // ACP v1, Session Config Options: an option of a type that is not known is left alone.
      return [];
  }
}

function setTo({ id: configId }: SessionConfigOption, value: string | boolean): Change {
  return { by: 'option', configId, value };
}

function quote(value: string | boolean): string {
  return JSON.stringify(typeof value === 'string' ? shorten(value) : value);
}

function notOffered(what: string, offered: readonly string[]): HostError {
  const list =
    offered.length === 0 ? 'nothing of that sort' : offered.map((id) => JSON.stringify(id)).join(', ');
  return new HostError('not-offered', `the session does not offer ${what}; it offers ${list}`, { offered });
}
