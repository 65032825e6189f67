import type { Format } from '../run/flags.ts';
import type { Surroundings } from '../surroundings.ts';
import { createJsonOutput, type Numbering } from './json.ts';
import type { Output } from './output.ts';
import { createQuietOutput } from './quiet.ts';
import { sharesOutput } from './shares-output.ts';
import { createStyle } from './style.ts';
import { createTextOutput } from './text.ts';
import type { Writer } from './writer.ts';

/** The output for a format. */
export function createOutput(
  format: Format,
  surroundings: Surroundings,
  writer: Writer,
  warn: (message: string) => void,
  numbering: Partial<Numbering> = {},
): Output {
  const { stdout, env } = surroundings;
  const isTerminal = stdout.isTTY === true;
  switch (format) {
    case 'text':
      return createTextOutput({
        writer,
        style: createStyle(isTerminal, env),
        isScreen: isTerminal,
        isShared: sharesOutput(surroundings),
        warn,
      });
    case 'quiet':
      return createQuietOutput({ writer, isTerminal, warn });
    case 'json':
      return createJsonOutput(writer, numbering);
  }
}
