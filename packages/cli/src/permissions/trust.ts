import path from 'node:path';
import { CliError } from '../cli-error.ts';
import { readProjectFile } from '../configuration/read-configuration.ts';
import { isTrusted, trust } from '../configuration/trusted-files.ts';
import { exitStatus } from '../exit-status.ts';
import { toPlainLine } from '../output/plain.ts';
import { createStyle } from '../output/style.ts';
import { createTerminal } from '../question/terminal.ts';
import { askTrust, showTrustWish } from '../question/trust-question.ts';
import type { Surroundings } from '../surroundings.ts';

/** The flags of `parley permissions trust`, as they were typed. */
export interface TrustFlags {
  readonly cwd?: string;
  readonly yes?: boolean;
}

/** `parley permissions trust`: shows what a project's file wants, and trusts it when the person says so. */
export async function trustProject(flags: TrustFlags, surroundings: Surroundings): Promise<number> {
  const { stdin, stdout, stderr, env } = surroundings;
  const cwd = path.resolve(surroundings.cwd, flags.cwd ?? '.');
  const project = await readProjectFile(cwd, env);
  if (project === undefined) {
    throw new CliError('usage', `${cwd}: there is no .parley/config.json of a project; see --cwd`);
  }
  const say = (text: string): number => {
    stdout.write(`${text}\n`);
    return exitStatus.done;
  };
  const { file, rights, content } = project;
  const name = toPlainLine(file, 400);
  if (rights.length === 0) return say(`${name} only narrows what is allowed: it needs no trust.`);
  if (await isTrusted(content, env)) return say(`${name} is trusted already.`);
  if (flags.yes === true) {
    stdout.write(showTrustWish({ file, rights }, createStyle(stdout.isTTY === true, env)));
  } else if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw new CliError('usage', `${file}: nobody is here to be asked; --yes trusts it as it is now`);
  } else {
    const signal = new AbortController().signal;
    const terminal = createTerminal(stdin, stderr);
    const isConfirmed = await askTrust({ file, rights }, { terminal, style: createStyle(true, env), signal });
    if (!isConfirmed) return say('Not trusted. Nothing has changed.');
  }
  await trust(content, env);
  return say(`${name} is trusted until it changes; parley permissions revoke takes that back.`);
}
