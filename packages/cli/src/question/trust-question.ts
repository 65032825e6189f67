import type { TrustWish } from '../configuration/read-configuration.ts';
import { toPlainLine } from '../output/plain.ts';
import type { Style } from '../output/style.ts';
import { excerpt } from '../output/tool-call-text.ts';
import type { Terminal } from './terminal.ts';

/** How many of its wishes are shown; nobody reads more of them in a question. */
const maxRights = 40;

/** How much of one wish is shown. */
const maxRightLength = 400;

/** What a project's file wants, for the person who is to trust it. */
export function showTrustWish({ file, rights }: TrustWish, style: Style): string {
  const lines = rights.map((right) => `    ${toPlainLine(right, maxRightLength)}\n`);
  return [
    `${style.bold("This project's configuration wants more than to narrow what is allowed:")}\n`,
    `  ${toPlainLine(file, maxRightLength)}\n`,
    ...excerpt(lines, maxRights).map((line) => (line.endsWith('\n') ? line : `    ${line}\n`)),
  ].join('');
}

/** Asks whether a project's file is to be trusted; only a clear yes means yes. */
export async function askTrust(
  wish: TrustWish,
  {
    terminal,
    style,
    signal,
  }: { readonly terminal: Terminal; readonly style: Style; readonly signal: AbortSignal },
): Promise<boolean> {
  await terminal.present(showTrustWish(wish, style), signal);
  const answer = await terminal.ask('Trust this file, as it is now? [y/N]: ', signal);
  return /^\s*y(?:es)?\s*$/iu.test(answer ?? '');
}
