import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SelfTest } from './self-test.ts';
import { nodeProbe, perlProbe, stageScript } from './stage-script.ts';

/** Writes the files of the stage to a folder. */
export function writeStage(
  folder: string,
  { outside, protectedPaths, hidden }: SelfTest,
  perl: string | undefined,
): void {
  mkdirSync(folder);
  const files = {
    run: stageScript,
    probe: perl === undefined ? nodeProbe : perlProbe,
    outside: lines(outside),
    protected: lines(protectedPaths),
    hidden: lines(hidden),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
}

/** What a stage needs to test one command. */
export interface StageTest {
  /** The folder of the stage, inside. */
  readonly folder: string;
  /** The name of a file in it with identities. */
  readonly identities: string;
  /** What must not be reached; 0: the network is not tested. */
  readonly port: number;
  readonly perl: string | undefined;
}

/** Returns the command line that runs the self-test, then becomes `command`. */
export function stageLine(
  { folder, identities, port, perl }: StageTest,
  command: readonly string[],
): readonly string[] {
  const script = path.posix.join(folder, 'run');
  return ['/bin/sh', script, folder, perl ?? process.execPath, String(port), identities, ...command];
}

/** A path with a line break is not tested. */
function lines(paths: readonly string[]): string {
  return paths.flatMap((each) => (each.includes('\n') ? [] : [`${each}\n`])).join('');
}
