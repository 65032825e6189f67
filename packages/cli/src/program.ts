import { Command, CommanderError } from 'commander';
import { addAgentsCommand } from './agents/agents-command.ts';
import { addAttachCommand } from './attach/attach-command.ts';
import { addChangesCommand } from './changes/changes-command.ts';
import { addChatCommand } from './chat/chat-command.ts';
import { addCheckCommand } from './check/check-command.ts';
import { CliError } from './cli-error.ts';
import { exitStatus } from './exit-status.ts';
import { addExamples } from './help/examples.ts';
import { fitHelp } from './help/fit-help.ts';
import { addModelsCommand } from './models/models-command.ts';
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

/** Parses the command line, runs the command that it names, and returns the exit status. */
export async function program(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const dashes = takesCommandLine(words) ? words.indexOf('--') : -1;
  const own = dashes < 0 ? words : words.slice(0, dashes);
  // The words after `--` are another program's command line.
  const command = dashes < 0 ? {} : { command: words.slice(dashes + 1) };
  const { root, status } = createProgram(command, surroundings, own.includes('--worktree'));
  if (words.length === 0) {
    surroundings.stderr.write(fitTo(surroundings.stderr, root.helpInformation()));
    return exitStatus.usage;
  }
  try {
    await root.parseAsync(own, { from: 'user' });
    return status();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exitStatus.done;
    const usage = new CliError('usage', toLine(error.message, root, own));
    if ((own[0] === 'run' || own[0] === 'attach') && wantsJson(own)) {
      const { refuseRun } = await import('./run/run.ts');
      await refuseRun(usage, surroundings);
    }
    throw usage;
  }
}

/** Whether a command takes the command line of another program after `--`. For all others, arguments follow it. */
function takesCommandLine([name = '', subcommand = '']: readonly string[]): boolean {
  switch (name) {
    case 'run':
    case 'chat':
    case 'check':
      return true;
    case 'agents':
      return subcommand === 'add';
    case 'sessions':
      return ['list', 'delete', 'load', 'fork', 'rename', 'archive', 'unarchive'].includes(subcommand);
    default:
      return false;
  }
}

function createProgram(
  command: { readonly command?: readonly string[] },
  surroundings: Surroundings,
  isWorktreeBare: boolean,
): { readonly root: Command; readonly status: () => number } {
  let status: number = exitStatus.done;
  const root = new Command('parley')
    .description('Any coding agent, from any client, in one durable session.')
    .usage('[options] COMMAND')
    .version(readVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => surroundings.stdout.write(fitTo(surroundings.stdout, text)),
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

  // Only for the help: `main` starts the agent before this parser is loaded.
  root
    .command('agent')
    .summary("Parley's built-in agent, as an ACP agent on stdio")
    .description(
      "Runs Parley's built-in coding agent for an editor or another client: ACP on standard input and output.",
    )
    .option(
      '--resume [id]',
      'resume this session at the first session/new (default: the last session in the folder)',
    )
    .option('--model <id>', 'the model that sessions start with, as PROVIDER/MODEL')
    .option('--dialect <name>', 'agentao: answer with the error codes of Agentao instead of those of ACP');

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
  addModelsCommand(root, {
    surroundings,
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

  addCheckCommand(root, {
    surroundings,
    ...command,
    finish: (ended) => {
      status = ended;
    },
  });

  root
    .command('doctor')
    .summary('find problems with the installation, the configuration and the agents')
    .description(
      'Checks this machine, the configuration, the agents and the models, and suggests a fix for each problem. Keys and ' +
        'other secrets are never shown.',
    )
    .option('--json', 'print JSON: {"ok", "findings": [{"level", "topic", "message", "advice"?}]}')
    .action(async (flags: { readonly json?: boolean }) => {
      const { doctor } = await import('./doctor/doctor.ts');
      status = await doctor(flags, surroundings);
    });

  root
    .command('completion')
    .summary('print a completion script for bash, zsh or fish')
    .description('Prints a script that completes commands, flags and agent names in a shell.')
    .argument('<bash|zsh|fish>')
    .addHelpText('after', completionNotes)
    .action(async (shell: string) => {
      const { completion } = await import('./completion/completion.ts');
      status = await completion(shell, root, surroundings);
    });

  addExamples(root);
  return { root, status: () => status };
}

/** A help text for a terminal has lines of its width. */
function fitTo({ columns }: Surroundings['stdout'], help: string): string {
  return columns === undefined ? help : fitHelp(help, columns);
}

const completionNotes = `
Add one line to the start-up file of your shell:

  ~/.bashrc                    source <(parley completion bash)
  ~/.zshrc, after compinit     source <(parley completion zsh)
  ~/.config/fish/config.fish   parley completion fish | source

Examples:
  parley completion bash > ~/.local/share/bash-completion/completions/parley`;

/** The message of a usage error in one line, with the help to read. */
function toLine(message: string, root: Command, words: readonly string[]): string {
  const names: string[] = [];
  let command: Command | undefined = root;
  for (const word of words) {
    command = command.commands.find((candidate) => candidate.name() === word);
    if (command === undefined) break;
    names.push(word);
  }
  const see = `see ${['parley', ...names].join(' ')} --help`;
  if (message !== '(outputHelp)') {
    const line = message
      .replace(/^error: /, '')
      .replace(/\.$/, '')
      .replaceAll(/\s*\n\s*/g, ' ');
    return `${line}; ${see}`;
  }
  // A command that consists of subcommands was called without one, or its `help` with an unknown one.
  const [help, unknown] = words.slice(names.length);
  return help === 'help' && unknown !== undefined
    ? `unknown command '${unknown}'; ${see}`
    : `${names.join(' ')}: expected one of its commands; ${see}`;
}

/** Whether `--format json` is among words that could not be parsed. */
function wantsJson(words: readonly string[]): boolean {
  return words.some(
    (word, index) => word === '--format=json' || (word === '--format' && words[index + 1] === 'json'),
  );
}
