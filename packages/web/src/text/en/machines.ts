/** The machines of a hub, and handing a session over from one to another. */
export const machines = {
  title: 'Machines',
  help: 'Servers that share this hub. Each runs agents for the sessions in its workspaces.',
  show: 'Show machines',
  none: 'This hub has one machine',
  noneHelp:
    'Several servers become one hub when they share a PostgreSQL database: any of them shows all sessions, and sessions continue when one dies.',
  noneHow: 'Start each of them with:',
  isThis: 'Serves this page',
  alive: 'Alive',
  lastAlive: 'Last sign of life:',
  silentHelp: 'Its sessions continue on other machines that have their folders.',
  since: 'Joined',
  workspaces: 'Workspaces',
  agents: 'Agents',
  agentsOf: (used: number, slots: number): string => `${used} of ${slots} in use`,
  sessions: 'Sessions',
  sessionCount: (count: number): string => (count === 1 ? '1 session' : `${count} sessions`),
  noSessions: 'None',
  runsOn: (machine: string): string => `Runs on ${machine}`,
  elsewhere:
    'This session is open on another machine or in another program, such as a terminal. Here it is read-only.',

  noFolder: (folder: string): string => `No machine of this hub has the folder of this session, ${folder}.`,
  noFolderHelp:
    'Start parley serve on a machine that has the folder, with the folder as a --workspace. A message that you send waits until then.',

  handOver: 'Hand over…',
  handOverTitle: 'Hand over this session?',
  handOverRunning: (machine: string): string =>
    `Its agent ends on ${machine} and starts on the machine that you choose. The conversation and the queue continue there.`,
  handOverPaused:
    'Its agent starts on the machine that you choose. The conversation and the queue continue there.',
  handOverTurn:
    'A turn is running. It is stopped first and does not continue. Wait for its end if that matters.',
  choose: 'Machine',
  loading: 'Looking for machines with its folder…',
  noOther: (folder: string): string =>
    `No other machine has its folder, ${folder}. Machines that share a folder name it alike: --workspace NAME=FOLDER.`,
  withoutFolder: 'Does not have the folder',
  noRoom: 'No room for another agent',
  cancel: 'Cancel',
  doHandOver: 'Hand over',
  doStopAndHandOver: 'Stop the turn and hand over',
  handingOver: 'Handing over…',
  handedOver: (machine: string): string => `The session runs on ${machine} now.`,
};
