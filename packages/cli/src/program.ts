import { Command, CommanderError } from 'commander';
import { addAgentsCommand } from './agents/agents-command.ts';
import { addAttachCommand } from './attach/attach-command.ts';
import { addChangesCommand } from './changes/changes-command.ts';
import { addChatCommand } from './chat/chat-command.ts';
import { CliError } from './cli-error.ts';
import { exitStatus } from './exit-status.ts';
import { addExamples } from './help/examples.ts';
import { addPermissionsCommand } from './permissions/permissions-command.ts';
import { addProxyCommand } from './proxy/proxy-command.ts';
import { addRaceCommand } from './race/race-command.ts';
import { addRecordingCommands } from './recordings/recording-commands.ts';
import { addRunCommand } from './run/run-command.ts';
import { addServeCommand } from './serve/serve-command.ts';
import { addSessionsCommand } from './sessions/sessions-command.ts';
import type { Surroundings } from './surroundings.ts';
import { readVersion } from './version.ts';
import { addWorktreesCommand } from './worktrees/worktrees-command.ts';

/** Reads the command line and runs the command it names. Gives the exit status. */
export async function program(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const dashes = words.indexOf('--');
  const own = dashes < 0 ? words : words.slice(0, dashes);
  // What stands behind `--` is another program's command line: nothing of it is ours to read.
  const command = dashes < 0 ? {} : { command: words.slice(dashes + 1) };
  const { root, status } = createProgram(command, surroundings, own.includes('--worktree'));
  if (words.length === 0) {
    surroundings.stderr.write(root.helpInformation());
    return exitStatus.usage;
  }
  try {
    await root.parseAsync(own, { from: 'user' });
    return status();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exitStatus.done;
    const usage = new CliError('usage', toLine(error.message, root, own[0]));
    if ((own[0] === 'run' || own[0] === 'attach') && wantsJson(own)) {
      const { refuseRun } = await import('./run/run.ts');
      await refuseRun(usage, surroundings);
    }
    throw usage;
  }
}

function createProgram(
  command: { readonly command?: readonly string[] },
  surroundings: Surroundings,
  isWorktreeBare: boolean,
): { readonly root: Command; readonly status: () => number } {
  let status: number = exitStatus.done;
  const root = new Command('parley')
    .description('Any coding agent, from any client.')
    .version(readVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => surroundings.stdout.write(text),
      // The caller that catches it reports what is wrong, in one line.
      writeErr: () => undefined,
    });

  addServeCommand(root, {
    surroundings,
    finish: (ended) => {
      status = ended;
    },
  });

  addRunCommand(root, {
    surroundings,
    isWorktreeBare,
    ...command,
    finish: (ended) => {
      status = ended;
    },
  });

  addRaceCommand(root, {
    surroundings,
    finish: (ended) => {
      status = ended;
    },
  });
  addChatCommand(root, {
    surroundings,
    ...command,
    finish: (ended) => {
      status = ended;
    },
  });

  addAttachCommand(root, {
    surroundings,
    finish: (ended) => {
      status = ended;
    },
  });

  addPermissionsCommand(root, {
    surroundings,
    finish: (ended) => {
      status = ended;
    },
  });

  // Only for the help: `main` goes to the agent without coming by here.
  root
    .command('agent')
    .summary("Parley's own agent, as an ACP agent on stdio")
    .description(
      "Parley's own coding agent, for an editor or another client: ACP on standard input and output.",
    )
    .option(
      '--resume [id]',
      'go on with this session, or the last one in the folder, at the first session/new',
    )
    .option('--model <id>', 'PROVIDER/MODEL that sessions begin with')
    .option('--dialect <name>', 'agentao: answer with its error codes where they differ from the protocol');

  addSessionsCommand(root, {
    surroundings,
    ...command,
    finish: (ended) => {
      status = ended;
    },
  });

  addChangesCommand(root, {
    surroundings,
    finish: (ended) => {
      status = ended;
    },
  });

  addWorktreesCommand(root, {
    surroundings,
    finish: (ended) => {
      status = ended;
    },
  });
  addAgentsCommand(root, {
    surroundings,
    ...command,
    finish: (ended) => {
      status = ended;
    },
  });
  addRecordingCommands(root, {
    surroundings,
    finish: (ended) => {
      status = ended;
    },
  });
  addProxyCommand(root, {
    surroundings,
    finish: (ended) => {
      status = ended;
    },
  });

  root
    .command('doctor')
    .summary('what is installed, configured and wrong')
    .description(
      'Looks at this machine, the configuration, the agents and the models; says what to do about each problem.',
    )
    .option('--json', 'one JSON document: {"ok", "findings": [{"level", "topic", "message", "advice"?}]}')
    .addHelpText(
      'after',
      '\nExit status: 0 nothing is wrong, 1 something is. Keys and other values are never shown.',
    )
    .action(async (flags: { readonly json?: boolean }) => {
      const { doctor } = await import('./doctor/doctor.ts');
      status = await doctor(flags, surroundings);
    });

  root
    .command('completion')
    .summary('for bash, zsh, fish')
    .description('Prints a script with which a shell completes commands, flags, and the names of agents.')
    .argument('<bash|zsh|fish>')
    .addHelpText('after', completionNotes)
    .action(async (shell: string) => {
      const { completion } = await import('./completion/completion.ts');
      status = await completion(shell, root, surroundings);
    });

  addExamples(root);
  return { root, status: () => status };
}

const completionNotes = `
In ~/.bashrc:      source <(parley completion bash)
In ~/.zshrc:       source <(parley completion zsh)     behind compinit
In config.fish:    parley completion fish | source`;

/** The message of a usage error in one line, with where to look. */
function toLine(message: string, root: Command, name: string | undefined): string {
  // A command that only has commands of its own was given none of them.
  const said = message === '(outputHelp)' ? `${name ?? ''}: expected one of its commands` : message;
  const line = said
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll(/\s*\n\s*/g, ' ');
  const command = root.commands.find((candidate) => candidate.name() === name);
  const help = command === undefined ? 'parley --help' : `parley ${command.name()} --help`;
  return `${line}; see ${help}`;
}

/** Whether events were asked for, as far as can be seen of flags that could not be read. */
function wantsJson(words: readonly string[]): boolean {
  return words.some(
    (word, index) => word === '--format=json' || (word === '--format' && words[index + 1] === 'json'),
  );
}
