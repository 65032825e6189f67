import { createServer } from 'node:net';
import { listenInSocketFolder } from '../network/socket-folder.ts';
import { keepProcessRecord } from './process-record.ts';
import { startProcess } from './start-process.ts';
import { processWatchdog } from './watchdog.ts';

/**
 * Starts the given commands, prints the ids that they print, then follows the lines of its input: `exit`, `end` (end
 * what it started), `start` (start another one), `listen` (on a socket in a folder, which it prints) or `unwatch` (end
 * the watchdog). With PARLEY_RECORDS, it stores a process record there, and prints what was ended at its start.
 */
const commands = process.argv.slice(2);
const cwd = process.cwd();
const directory = process.env['PARLEY_RECORDS'];
if (directory !== undefined) process.stdout.write(`ended ${String(await keepProcessRecord(directory))}\n`);

async function start(command: string): Promise<() => Promise<unknown>> {
  const group = await startProcess({ command, shell: true, cwd });
  group.stdout.pipe(process.stdout, { end: false });
  return () => group.end({ inputMs: 1 });
}

const ends = await Promise.all(commands.map(start));
process.stdout.write('started\n');
process.stdin.setEncoding('utf8').on('data', (text: string) => {
  void (async () => {
    for (const word of text.trim().split('\n')) {
      if (word === 'exit') process.exit();
      if (word === 'end') await Promise.all(ends.map((end) => end()));
      if (word === 'listen') process.stdout.write(`${(await listenInSocketFolder(createServer())).folder}\n`);
      if (word === 'unwatch') await processWatchdog.end();
      if (word === 'start') ends.push(await start('echo $$; exec sleep 100'));
    }
    process.stdout.write('done\n');
  })();
});
