import { toPlainLine } from '../output/plain.ts';
import type { Style } from '../output/style.ts';
import { chatCommands } from './chat-commands.ts';
import { isChatLine } from './console/chat-line.ts';

/** The model of our own agent that needs neither a key nor the network. */
const offlineModel = 'parley/offline';

/** What the first lines of a chat say. */
export interface WelcomeOptions {
  readonly version: string;
  /** What the agent calls itself, and how it was found. */
  readonly agentName: string;
  readonly isOwnAgent: boolean;
  readonly model?: string;
  readonly cwd: string;
  readonly style: Style;
}

/** The first three lines of a chat; none is longer than 80 columns, as long as names are not. */
export function welcome({ version, agentName, isOwnAgent, model, cwd, style }: WelcomeOptions): string {
  const isOffline = isOwnAgent && (model === undefined || model === offlineModel);
  const who = isOwnAgent ? "Parley's built-in agent" : toPlainLine(agentName);
  return [
    `${style.bold(`Parley ${version}`)}: chatting with ${who} in ${toPlainLine(cwd)}`,
    isOffline
      ? 'No API key set; using the offline demo model, which follows simple instructions.'
      : `What would you like to do? You approve what needs permission.${model === undefined ? '' : ` Model: ${toPlainLine(model)}.`}`,
    isOffline
      ? `Try ${style.bold('search TODO')} or ${style.bold('write notes.txt: hello')}. /help shows more, Ctrl-D leaves.`
      : '/help shows the commands, Ctrl-D leaves.',
    '',
  ].join('\n');
}

/** What can be done besides talking. */
export interface HelpOptions {
  readonly agentCommands: readonly { readonly name: string; readonly description: string }[];
  /** The agent has ways to sign in. */
  readonly hasLogin: boolean;
  readonly hasLogout: boolean;
}

/** What `/help` shows. */
export function help({ agentCommands, hasLogin, hasLogout }: HelpOptions): string {
  const ours = chatCommands
    .filter(({ name }) => (name !== 'login' || hasLogin) && (name !== 'logout' || hasLogout))
    .map(({ name, argument = '', summary }) => commandLine(`${name} ${argument}`, summary));
  const theirs = agentCommands
    .filter(({ name }) => !isChatLine(name))
    .map(({ name, description }) => commandLine(toPlainLine(name), toPlainLine(description)));
  return [
    ...ours,
    ...(theirs.length === 0 ? [] : ['Commands of the agent:\n', ...theirs]),
    'Keys:\n',
    ...keys.map(([key, does]) => `  ${key.padEnd(24)} ${does}\n`),
  ].join('');
}

function commandLine(name: string, summary: string): string {
  return `  /${name.padEnd(20)} ${summary}\n`;
}

const keys: readonly (readonly [string, string])[] = [
  ['Alt+Enter, \\ then Enter', 'start a new line'],
  ['Tab', 'complete a /command or an @file'],
  ['', 'during a turn: queue the line'],
  ['Ctrl-C', 'stop the running turn, or clear the line'],
  ['', 'twice on an empty line: leave'],
  ['Ctrl-D', 'leave'],
];
