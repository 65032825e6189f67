import { createReadStream } from 'node:fs';
import path from 'node:path';
import { readRecording, RecordingError, Trace, type RecordingEntry } from '@parley/recording';
import { CliError } from '../cli-error.ts';
import { exitStatus } from '../exit-status.ts';
import { toFileReason } from '../input-file.ts';
import { createStyle } from '../output/style.ts';
import { createWriter } from '../output/writer.ts';
import type { Surroundings } from '../surroundings.ts';
import type { TypedInspectFlags } from './inspect-flags.ts';
import { toRowJson } from './row-json.ts';
import { columnHeads, toRowText } from './row-text.ts';
import { isWanted, type Row } from './row.ts';

/** `parley inspect`: prints a recording, however long it is. Gives the exit status. */
export async function inspect(flags: TypedInspectFlags, surroundings: Surroundings): Promise<number> {
  const { stdin, stdout, env, cwd } = surroundings;
  const chunks = flags.file === '-' ? stdin : createReadStream(path.resolve(cwd, flags.file));
  const writer = createWriter(stdout);
  const style = createStyle(stdout.isTTY === true, env);
  const print = flags.json === true ? jsonPrinter(flags) : textPrinter();

  function textPrinter(): Printer {
    let startTime: number | undefined;
    let hasHeads = false;
    return {
      row(row) {
        startTime ??= timeOf(row);
        const heads = hasHeads || row.kind === 'head' ? '' : `${style.dim(columnHeads)}\n`;
        hasHeads = true;
        const start = startTime === undefined ? {} : { startTime };
        return `${heads}${toRowText(row, { body: flags.body, style, ...start })}\n`;
      },
      end: (summary) => `${style.dim(summary)}\n`,
    };
  }

  try {
    let summary = nothingSeen;
    /** What cannot be read before the first message: the file may be no recording at all. */
    const held: Row[] = [];
    for await (const row of rowsOf(chunks)) {
      summary = count(summary, row);
      if (row.kind === 'unreadable' && summary.frames === 0 && held.length < mostHeld) {
        held.push(row);
        continue;
      }
      for (const each of [...held.splice(0), row]) {
        if (isWanted(each, { ...flags, errors: flags.errors === true })) writer.write(print.row(each));
      }
      await writer.ready();
      // The reader has seen enough: `| head`.
      if (writer.closed.aborted) return exitStatus.done;
    }
    if (summary.frames === 0) {
      const lines = summary.unreadable === 0 ? '' : `; ${String(summary.unreadable)} lines cannot be read`;
      throw new CliError('usage', `inspect ${flags.file}: not a recording: no message found${lines}`);
    }
    writer.write(print.end(toSummaryText(summary)));
  } catch (error) {
    throw explain(error, flags.file);
  } finally {
    await writer.flush();
  }
  return exitStatus.done;
}

/** Unreadable lines that are buffered. */
const mostHeld = 1000;

interface Printer {
  row(row: Row): string;
  end(summary: string): string;
}

/** One JSON document, a list, with each of its items on a line of its own. */
function jsonPrinter({ body }: TypedInspectFlags): Printer {
  let isFirst = true;
  return {
    row(row) {
      const before = isFirst ? '[\n' : ',\n';
      isFirst = false;
      return `${before}${JSON.stringify(toRowJson(row, { body }))}`;
    },
    end: () => (isFirst ? '[]\n' : '\n]\n'),
  };
}

async function* rowsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Row, void> {
  const trace = new Trace();
  for await (const entry of readRecording(chunks)) yield toRow(entry, trace);
  for (const request of trace.open) yield { kind: 'unanswered', request };
}

function toRow(entry: RecordingEntry, trace: Trace): Row {
  switch (entry.kind) {
    case 'head':
      return { kind: 'head', head: entry };
    case 'frame':
      return { kind: 'frame', traced: trace.follow(entry) };
    case 'fault':
      return { kind: 'fault', fault: entry };
    case 'unreadable':
      return { kind: 'unreadable', unreadable: entry };
  }
}

function timeOf(row: Row): number | undefined {
  if (row.kind === 'frame') return row.traced.frame.time;
  return row.kind === 'fault' ? row.fault.time : undefined;
}

interface Summary {
  readonly frames: number;
  readonly requests: number;
  readonly errors: number;
  readonly unanswered: number;
  readonly unreadable: number;
}

const nothingSeen: Summary = { frames: 0, requests: 0, errors: 0, unanswered: 0, unreadable: 0 };

function count(summary: Summary, row: Row): Summary {
  switch (row.kind) {
    case 'head':
      return summary;
    case 'frame': {
      const { kind } = row.traced.view;
      return {
        ...summary,
        frames: summary.frames + 1,
        requests: summary.requests + (kind === 'request' ? 1 : 0),
        errors: summary.errors + (kind === 'error' ? 1 : 0),
      };
    }
    case 'fault':
      return { ...summary, frames: summary.frames + 1, errors: summary.errors + 1 };
    case 'unreadable':
      return { ...summary, unreadable: summary.unreadable + 1 };
    case 'unanswered':
      return { ...summary, unanswered: summary.unanswered + 1 };
  }
}

function toSummaryText({ frames, requests, errors, unanswered, unreadable }: Summary): string {
  const lines = unreadable === 0 ? '' : `, ${unreadable} lines that cannot be read`;
  return `${frames} frames, ${requests} requests, ${unanswered} of them without an answer, ${errors} errors${lines}`;
}

function explain(error: unknown, file: string): unknown {
  if (error instanceof CliError) return error;
  if (error instanceof RecordingError) {
    return new CliError('usage', `inspect ${file}: ${error.message}`, { cause: error });
  }
  const isSystem = error instanceof Error && 'syscall' in error;
  return isSystem
    ? new CliError('usage', `inspect ${file}: ${toFileReason(error)}`, { cause: error })
    : error;
}
