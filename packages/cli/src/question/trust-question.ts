import type { TrustWish } from '../configuration/read-configuration.ts';
import type { Style } from '../output/style.ts';
import { toVisibleText } from '../output/visible.ts';
import type { Terminal } from './terminal.ts';

/** What files of a project would do, for the user who is to trust them: all of it, and nothing hidden. */
export function showTrustWishes(wishes: readonly TrustWish[], style: Style): string {
  return wishes
    .flatMap(({ file, rights }) => [
      style.bold('A file of this project would widen what is allowed:'),
      `  ${toVisibleText(file)}`,
      ...rights.map((right) => `    ${toVisibleText(right)}`),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

/** Asks whether to trust files of a project; only an explicit yes means yes. */
export async function askTrust(
  wishes: readonly TrustWish[],
  {
    terminal,
    style,
    signal,
  }: { readonly terminal: Terminal; readonly style: Style; readonly signal: AbortSignal },
): Promise<boolean> {
  await terminal.present(showTrustWishes(wishes, style), signal);
  const rights = wishes.reduce((sum, wish) => sum + wish.rights.length, 0);
  const what = wishes.length === 1 ? 'this file' : `these ${String(wishes.length)} files`;
  const count = rights === 1 ? 'the line above' : `all ${String(rights)} lines above`;
  const answer = await terminal.ask(`Trust ${what}, as now, with ${count}? [y/N]: `, signal);
  return /^\s*y(?:es)?\s*$/iu.test(answer ?? '');
}
