import type { Command } from 'commander';
import type { Surroundings } from '../surroundings.ts';
import type { TypedAgentFlags } from './asks-agent.ts';

/** Options of {@link addAgentSessionCommands}. */
export interface AgentSessionCommandsOptions {
  readonly surroundings: Surroundings;
  /** The command line of the agent, where one was typed after `--`. */
  readonly words: Pick<TypedAgentFlags, 'command'>;
  readonly finish: (status: number) => void;
}

/** Adds the subcommands of `parley sessions` for sessions in an agent's own store. */
export function addAgentSessionCommands(
  sessions: Command,
  { surroundings, words, finish }: AgentSessionCommandsOptions,
): void {
  sessions
    .command('load')
    .description("Copies a session from an agent's own store into Parley, and shows it.")
    .usage('--agent NAME ID\n       parley sessions load ID -- CMD ARG…')
    .argument('<ID>', "the agent's id of the session, or the start of it")
    .option('-a, --agent <name>', 'the agent that has the session')
    .option('--cwd <dir>', 'the folder of the session; needed only if the agent does not list its sessions')
    .option(...configOption)
    .action(async (id: string, flags: TypedAgentFlags) => {
      const { loadAgentSession } = await import('./agent-sessions.ts');
      finish(await loadAgentSession(id, { ...flags, ...words }, surroundings));
    });

  sessions
    .command('fork')
    .description("Copies a session within the agent's own store, and prints the new id.")
    .usage('--agent NAME ID\n       parley sessions fork ID -- CMD ARG…')
    .argument('<ID>', "the agent's id of the session, or the start of it")
    .option('-a, --agent <name>', 'the agent that has the session')
    .option(
      '--cwd <dir>',
      'the folder of the new session; needed only if the agent does not list its sessions',
    )
    .option(...configOption)
    .action(async (id: string, flags: TypedAgentFlags) => {
      const { forkAgentSession } = await import('./agent-sessions.ts');
      finish(await forkAgentSession(id, { ...flags, ...words }, surroundings));
    });

  sessions
    .command('rename')
    .description("Renames a session in the agent's own store.")
    .usage('--agent NAME ID TITLE\n       parley sessions rename ID TITLE -- CMD ARG…')
    .argument('<ID>', "the agent's id of the session, or the start of it")
    .argument('<TITLE>', 'its new title')
    .option('-a, --agent <name>', 'the agent that has the session')
    .option(...configOption)
    .action(async (id: string, title: string, flags: TypedAgentFlags) => {
      const { renameAgentSession } = await import('./agent-session-marks.ts');
      finish(await renameAgentSession({ id, title }, { ...flags, ...words }, surroundings));
    });

  for (const change of ['archive', 'unarchive'] as const) {
    sessions
      .command(change)
      .description(
        change === 'archive'
          ? 'Archives sessions in the agent\'s own store. Only "list --archived" shows them.'
          : "Restores archived sessions in the agent's own store.",
      )
      .usage(`--agent NAME ID…\n       parley sessions ${change} ID… -- CMD ARG…`)
      .argument('<ID...>', "the agent's ids of the sessions, or the start of each")
      .option('-a, --agent <name>', 'the agent that has the sessions')
      .option(...configOption)
      .action(async (ids: readonly string[], flags: TypedAgentFlags) => {
        const { archiveAgentSessions } = await import('./agent-session-marks.ts');
        finish(await archiveAgentSessions({ ids, change }, { ...flags, ...words }, surroundings));
      });
  }
}

const configOption = [
  '--config <file>',
  "use this configuration file instead of the user's and the project's",
] as const;
