import { availableParallelism, cpus } from 'node:os';
import { parseArguments, usage } from './arguments.ts';
import type { Arguments } from './arguments.ts';
import type { Case, Scale } from './case.ts';
import { cases } from './cases/all.ts';
import { judge } from './judge.ts';
import type { Finding } from './judge.ts';
import { measure } from './measure.ts';
import { toMarkdown, toText } from './report/table.ts';

const wanted = parseArguments(process.argv.slice(2));
if (wanted === undefined) process.stdout.write(`${usage}\nCases: ${names()}.\n`);
else await run(wanted);

async function run({ format, only, rounds, divisor }: Arguments): Promise<void> {
  const chosen = choose(only);
  const scale: Scale = { count: (full) => Math.max(1, Math.round(full / divisor)) };
  const findings: Finding[] = [];
  for (const subject of chosen) {
    console.error(`${subject.name}: ${rounds} rounds`);
    const found = judge(subject, await measure(subject, { rounds, scale }));
    findings.push(...found);
    if (format === 'text') process.stdout.write(toText(found));
  }
  switch (format) {
    case 'text':
      console.log(summary(findings));
      break;
    case 'markdown':
      process.stdout.write(`${machine()}, ${rounds} rounds.\n\n${toMarkdown(findings)}`);
      break;
    case 'json':
      console.log(JSON.stringify({ machine: machine(), rounds, divisor, findings }, undefined, 2));
  }
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
