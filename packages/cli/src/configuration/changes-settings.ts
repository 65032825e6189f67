import type { ChangesSettings } from '@parley/host';
import type { Configuration } from './configuration.ts';
import { stateFolder, type Variables } from './places.ts';

/** How what agents change is covered; undefined where it is switched off. */
export function changesSettings(
  { changes: { enabled = true, ...limits } = {} }: Pick<Configuration, 'changes'>,
  env: Variables,
): ChangesSettings | undefined {
  return enabled ? { stateDir: stateFolder(env), ...limits } : undefined;
}
