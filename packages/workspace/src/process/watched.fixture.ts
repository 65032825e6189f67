import { keepProcessRecord } from './process-record.ts';
import { startProcess } from './start-process.ts';

/**
 * Starts the commands it is given and prints the ids they print; then does what lines on its input say: `exit`, `end`
 * what it started, or `start` another one. With PARLEY_RECORDS a record is kept there; what was ended at first is printed.
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
      if (word === 'start') ends.push(await start('echo $$; exec sleep 100'));
    }
    process.stdout.write('done\n');
  })();
});
