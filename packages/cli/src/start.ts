import { CliError } from './cli-error.ts';
import { keepCompiledCode } from './compiled-code.ts';
import { exitStatus, statusOfError } from './exit-status.ts';
import type { Surroundings } from './surroundings.ts';
import { readVersion } from './version.ts';

/** Runs the command that these words name in this process, reports why it failed, and returns the exit status. */
export async function start(
  words: readonly string[],
  given: Pick<Surroundings, 'stdin' | 'stdout' | 'stderr' | 'startedAt'>,
): Promise<number> {
  // The commands have a copy of it: what this process starts, by any library, cannot inherit it.
  const env = { ...process.env };
  for (const name of ['PARLEY_TOKEN', 'PARLEY_STORE']) delete process.env[name];
  try {
    // Programs that look for Parley ask for it, and need nothing else of it.
    if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
      given.stdout.write(`${readVersion()}\n`);
      return exitStatus.done;
    }
    keepCompiledCode(env);
    // An editor waits for `parley agent` at each start: it gets there without anything the other commands need.
    if (words[0] === 'agent' && !words.includes('--help') && !words.includes('-h')) {
      const { agentCommand } = await import('./agent-command.ts');
      return await agentCommand(words.slice(1));
    }
    const cwd = process.cwd();
    const { program } = await import('./program.ts');
    const { stdin, stdout, stderr, startedAt = 0 } = given;
    return await program(words, { stdin, stdout, stderr, env, cwd, startedAt });
  } catch (error) {
    given.stderr.write(`parley: ${toMessage(error)}\n`);
    return error instanceof CliError ? statusOfError(error.code) : exitStatus.failed;
  }
}

/** Why the command failed. Where the system lets it open too few files, no further module can be loaded: the advice is here. */
function toMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('syscall' in error && error.syscall === 'uv_cwd') {
    return 'the current folder does not exist any more; change to another one';
  }
  const isLimit = 'code' in error && error.code === 'EMFILE';
  return isLimit ? `${error.message}; raise the limit, for example with "ulimit -n 1024"` : error.message;
}
