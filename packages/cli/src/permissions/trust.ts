import path from 'node:path';
import { CliError } from '../cli-error.ts';
import { readTrustCandidates, type TrustCandidate } from '../configuration/trust-candidates.ts';
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
  readonly json?: boolean;
}

/** `parley permissions trust`: shows what the files of a project would do, and trusts them when the user says so. */
export async function trustProject(flags: TrustFlags, surroundings: Surroundings): Promise<number> {
  const { stdout, env } = surroundings;
  const cwd = path.resolve(surroundings.cwd, flags.cwd ?? '.');
  const candidates = await readTrustCandidates(cwd, env);
  if (candidates.length === 0) {
    throw new CliError(
      'usage',
      `${cwd}: found no .parley/config.json, .parley/setup or .env of a project; see --cwd`,
    );
  }
  const say = (text: string): void => {
    if (flags.json !== true) stdout.write(text);
  };
  for (const { file, rights, isTrusted } of candidates) {
    const name = toVisibleText(file);
    if (rights.length === 0) say(`${name} only narrows what is allowed: it needs no trust.\n`);
    else if (isTrusted) say(`${name} is trusted already.\n`);
  }
  const wishes = candidates.filter(({ rights, isTrusted }) => rights.length > 0 && !isTrusted);
  const isConfirmed = wishes.length === 0 || (await confirm(wishes, flags, { say, surroundings }));
  if (!isConfirmed) say('Not trusted. Nothing has changed.\n');
  for (const { file, content } of isConfirmed ? wishes : []) {
    await trust(content, env);
    say(`${toVisibleText(file)} is trusted until it changes; "parley permissions revoke" ends that.\n`);
  }
  if (flags.json === true) {
    const files = candidates.map((candidate) => ({
      file: candidate.file,
      rights: candidate.rights,
      trusted: candidate.isTrusted || (isConfirmed && wishes.includes(candidate)),
    }));
    stdout.write(`${JSON.stringify({ files })}\n`);
  }
  return exitStatus.done;
}

/** Whether the user wants these files to be trusted. @throws {CliError} `usage`: there is no user to ask. */
async function confirm(
  wishes: readonly TrustCandidate[],
  { yes }: TrustFlags,
  {
    say,
    surroundings: { stdin, stdout, stderr, env },
  }: { readonly say: (text: string) => void; readonly surroundings: Surroundings },
): Promise<boolean> {
  if (yes === true) {
    say(showTrustWishes(wishes, createStyle(stdout.isTTY === true, env)));
    return true;
  }
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    const names = wishes.map(({ file }) => toVisibleText(file)).join(', ');
    throw new CliError(
      'usage',
      `${names}: cannot ask for confirmation without a terminal; --yes trusts its current content`,
    );
  }
  const { signal } = new AbortController();
  const terminal = createTerminal(stdin, stderr);
  return askTrust(wishes, { terminal, style: createStyle(true, env), signal });
}
