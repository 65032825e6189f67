// Plays a recording of an agent that edits by itself: `parley replay`, and before it sends what a call's edit or
// write gave, the file is written. The arguments are the command's file and the recording.
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';

const replay = spawn(process.execPath, [process.argv[2], 'replay', '--speed', 'instant', process.argv[3]], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
process.stdin.pipe(replay.stdin);
for await (const line of createInterface({ input: replay.stdout })) {
  const done = JSON.parse(line).params?.update?._meta?.claudeCode?.toolResponse;
  if (done?.filePath !== undefined) {
    const { filePath, originalFile, oldString, newString, content } = done;
    await mkdir(path.dirname(filePath), { recursive: true });
    await writeFile(filePath, content ?? originalFile.replace(oldString, () => newString));
  }
  process.stdout.write(`${line}\n`);
}
