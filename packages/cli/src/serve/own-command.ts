/** The command line of our own agent: this very program, started once more. */
export function ownCommand(): readonly [string, ...string[]] {
  return [process.execPath, process.argv[1] ?? '', 'agent'];
}
