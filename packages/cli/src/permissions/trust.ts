import path from 'node:path';
import { CliError } from '../cli-error.ts';
import { readTrustCandidates } from '../configuration/trust-candidates.ts';
import { trust } from '../configuration/trusted-files.ts';
import { exitStatus } from '../exit-status.ts';
import { createStyle } from '../output/style.ts';
import { toVisibleText } from '../output/visible.ts';
import { createTerminal } from '../question/terminal.ts';
import { askTrust, showTrustWishes } from '../question/trust-question.ts';
import type { Surroundings } from '../surroundings.ts';

/** The flags of `parley permissions trust`, as typed. */
export interface TrustFlags {
  readonly cwd?: string;
  readonly yes?: boolean;
}

/** `parley permissions trust`: shows what the files of a project would do, and trusts them when the user says so. */
export async function trustProject(flags: TrustFlags, surroundings: Surroundings): Promise<number> {
  const { stdin, stdout, stderr, env } = surroundings;
  const cwd = path.resolve(surroundings.cwd, flags.cwd ?? '.');
  const candidates = await readTrustCandidates(cwd, env);
  if (candidates.length === 0) {
    throw new CliError(
      'usage',
      `${cwd}: found no .parley/config.json, .parley/setup or .env of a project; see --cwd`,
    );
  }
  const say = (text: string): number => {
    stdout.write(`${text}\n`);
    return exitStatus.done;
  };
  for (const { file, rights, isTrusted } of candidates) {
    const name = toVisibleText(file);
    if (rights.length === 0) say(`${name} only narrows what is allowed: it needs no trust.`);
    else if (isTrusted) say(`${name} is trusted already.`);
  }
  const wishes = candidates.filter(({ rights, isTrusted }) => rights.length > 0 && !isTrusted);
  if (wishes.length === 0) return exitStatus.done;
  if (flags.yes === true) {
    stdout.write(showTrustWishes(wishes, createStyle(stdout.isTTY === true, env)));
  } else if (stdin.isTTY !== true || stderr.isTTY !== true) {
    const names = wishes.map(({ file }) => toVisibleText(file)).join(', ');
    throw new CliError(
      'usage',
      `${names}: cannot ask for confirmation without a terminal; --yes trusts its current content`,
    );
  } else {
    const signal = new AbortController().signal;
    const terminal = createTerminal(stdin, stderr);
    const isConfirmed = await askTrust(wishes, { terminal, style: createStyle(true, env), signal });
    if (!isConfirmed) return say('Not trusted. Nothing has changed.');
  }
  for (const { file, content } of wishes) {
    await trust(content, env);
    say(`${toVisibleText(file)} is trusted until it changes; "parley permissions revoke" ends that.`);
  }
  return exitStatus.done;
}
