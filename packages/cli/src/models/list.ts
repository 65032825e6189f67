import { exitStatus } from '../exit-status.ts';
import { toColumns } from '../output/columns.ts';
import { toPlainLine } from '../output/plain.ts';
import type { Surroundings } from '../surroundings.ts';
import { listModels } from './list-models.ts';

/** `parley models list`: which providers there are, without their keys. */
export async function list(
  { json }: { readonly json?: boolean },
  { env, stdout }: Surroundings,
): Promise<number> {
  const models = await listModels(env);
  if (json === true) {
    stdout.write(`${JSON.stringify(models, undefined, 2)}\n`);
    return exitStatus.done;
  }
  const rows = models.providers.map(({ id, model, baseUrl, from }) => [
    id,
    model === undefined ? '-' : toPlainLine(model),
    from === undefined ? 'not connected' : from === 'stored' ? 'connected' : 'environment',
    baseUrl === undefined ? '' : toPlainLine(baseUrl),
  ]);
  stdout.write(`${toColumns([['PROVIDER', 'MODEL', 'STATE', 'ADDRESS'], ...rows]).join('\n')}\n`);
  return exitStatus.done;
}
