import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { parseArguments, usage } from './arguments.ts';
import type { Arguments } from './arguments.ts';
import type { Case, Scale } from './case.ts';
import { cases } from './cases/all.ts';
import { assertComparable, compareRuns, parseRun } from './compare.ts';
import type { BenchRun } from './compare.ts';
import { judge } from './judge.ts';
import type { Finding } from './judge.ts';
import { measure } from './measure.ts';
import { toComparisonSummary, toComparisonTable } from './report/comparison.ts';
import { toMarkdown, toText } from './report/table.ts';

const wanted = parseArguments(process.argv.slice(2));
if (wanted === undefined) process.stdout.write(`${usage}\nCases: ${names()}.\n`);
else await run(wanted);

async function run({ format, only, rounds, divisor, compareWith }: Arguments): Promise<void> {
  const chosen = choose(only);
  const scale: Scale = { count: (full) => Math.max(1, Math.round(full / divisor)) };
  const findings: Finding[] = [];
  const now: BenchRun = { machine: machine(), rounds, divisor, findings };
  const before =
    compareWith === undefined ? undefined : parseRun(await readFile(compareWith, 'utf8'), compareWith);
  // Before the first round: a run takes an hour.
  if (before !== undefined) assertComparable(before, now);
  for (const subject of chosen) {
    console.error(`${subject.name}: ${rounds} rounds`);
    const found = judge(subject, await measure(subject, { rounds, scale }));
    findings.push(...found);
    if (format === 'text') process.stdout.write(toText(found));
  }
  const comparison = before && compareRuns(before, now);
  switch (format) {
    case 'text':
      console.log(summary(findings));
      break;
    case 'markdown':
      process.stdout.write(`${machine()}, ${rounds} rounds.\n\n${toMarkdown(findings)}`);
      break;
    case 'json':
      console.log(JSON.stringify({ ...now, ...(comparison && { comparison }) }, undefined, 2));
  }
  if (comparison === undefined) return;
  if (format !== 'json') {
    process.stdout.write(`\n${toComparisonTable(comparison)}\n${toComparisonSummary(comparison)}\n`);
  }
  if (comparison.some(({ outcome }) => outcome === 'worse')) process.exitCode = 1;
}

function choose(only: readonly string[]): readonly Case[] {
  if (only.length === 0) return cases;
  const unknown = only.filter((name) => !cases.some((subject) => subject.name.startsWith(name)));
  if (unknown.length > 0) {
    throw new Error(`no case "${unknown.join(', ')}"; there are ${names()}`);
  }
  return cases.filter((subject) => only.some((name) => subject.name.startsWith(name)));
}

function names(): string {
  return cases.map(({ name }) => name).join(', ');
}

function summary(findings: readonly Finding[]): string {
  const count = (kind: Finding['outcome']['kind']): number =>
    findings.filter(({ outcome }) => outcome.kind === kind).length;
  return `${count('met')} targets met, ${count('missed')} missed, ${count('not-measured')} not measured`;
}

function machine(): string {
  return `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`;
}
