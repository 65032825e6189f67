import { ownAgentName } from '../configuration/configuration.ts';
import { toPlainLine } from '../output/plain.ts';
import type { Style } from '../output/style.ts';
import { isChatLine } from './chat-line.ts';

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
  const who = isOwnAgent ? `its own agent (${ownAgentName})` : toPlainLine(agentName);
  return [
    `${style.bold(`Parley ${version}`)}: you talk with ${who} in ${toPlainLine(cwd)}`,
    isOffline
      ? 'With no key set, the offline model answers: it follows instructions, no more.'
      : `Say what is to be done; when it asks for permission, you decide.${model === undefined ? '' : ` Model: ${toPlainLine(model)}.`}`,
    isOffline
      ? `Try ${style.bold('search TODO')} or ${style.bold('write notes.txt: hello')}. /help shows more, Ctrl-D leaves.`
      : leaving,
    '',
  ].join('\n');
}

const leaving = '/help shows the commands, Ctrl-D leaves.';

/** What can be done besides talking. */
export interface HelpOptions {
  readonly agentCommands: readonly { readonly name: string; readonly description: string }[];
  /** The agent has ways to sign in. */
  readonly hasLogin: boolean;
  readonly hasLogout: boolean;
}

/** What `/help` says. */
export function help({ agentCommands, hasLogin, hasLogout }: HelpOptions): string {
  const theirs = agentCommands
    .filter(({ name }) => !isChatLine(name))
    .map(({ name, description }) => `  /${toPlainLine(name).padEnd(12)} ${toPlainLine(description)}\n`);
  return `  /mode [ID]    show the modes, or change to one
  /model [ID]   show the models, or change to one
  /last         show all that the last tool call came to
  /new          begin a new session
  /changes      show what the turns of this session changed
  /undo         undo the last turn that changed something, with a preview
  /redo         take the last undo back
  /queue        show what you typed while a turn runs, and drop, edit or move it
${hasLogin ? '  /login        sign in to the agent\n' : ''}${hasLogout ? '  /logout       sign out\n' : ''}\
  /exit         leave, as Ctrl-D does; Ctrl-C stops a running turn
${theirs.length === 0 ? '' : `Commands of the agent:\n${theirs.join('')}`}`;
}
