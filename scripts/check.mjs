import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// npm run check [-- STEP…]: runs the steps, two at a time, all of them even if one fails, and lists the failed ones.

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} command
 * @property {string} [after] The step whose result it needs.
 *
 * @typedef {'passed' | 'failed' | 'skipped'} Outcome
 */

/** @type {readonly Step[]} The slow ones first. */
const steps = [
  { name: 'types', command: 'tsc -b' },
  { name: 'unused', command: 'knip' },
  { name: 'packages', command: 'node scripts/check-packages.mjs', after: 'types' },
  { name: 'lint', command: 'oxlint --deny-warnings' },
  {
    name: 'generated',
    command:
      'node scripts/generate/main.mjs --check && node scripts/generate/configuration-schema.mjs --check && node scripts/limits/main.mjs --check',
  },
  { name: 'web', command: 'node scripts/check-web.mjs' },
  { name: 'format', command: 'oxfmt --check' },
  { name: 'imports', command: 'node scripts/check-imports.mjs' },
  { name: 'names', command: 'node scripts/check-names.mjs' },
  { name: 'words', command: 'node scripts/check-words.mjs' },
  { name: 'documents', command: 'node scripts/check-documents.mjs' },
  { name: 'examples', command: 'node scripts/check-examples.mjs', after: 'types' },
];
const stepsAtOnce = 2;

const root = fileURLToPath(new URL('..', import.meta.url));
const environment = {
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => steps.every((step) => step.name !== name));
if (unknown.length > 0) {
  console.error(`No step ${unknown.join(', ')}: there are ${steps.map(({ name }) => name).join(', ')}.`);
  process.exitCode = 2;
} else {
  const outcomes = await runAll(steps.filter(({ name }) => names.length === 0 || names.includes(name)));
  const bad = [...outcomes].filter(([, outcome]) => outcome !== 'passed');
  console.log(bad.length === 0 ? 'Everything passed.' : bad.map((pair) => pair.join(' ')).join(', '));
  process.exitCode = bad.length === 0 ? 0 : 1;
}

/**
 * @param {readonly Step[]} chosen
 * @returns {Promise<ReadonlyMap<string, Outcome>>}
 */
async function runAll(chosen) {
  /** @type {Map<string, Promise<Outcome>>} */
  const running = new Map();
  const waiting = [...chosen];
  /** @type {Map<string, Outcome>} */
  const outcomes = new Map();
  const worker = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const before = step.after === undefined ? 'passed' : ((await running.get(step.after)) ?? 'passed');
      const outcome = before === 'passed' ? run(step) : skip(step);
      running.set(step.name, outcome);
      outcomes.set(step.name, await outcome);
    }
  };
  await Promise.all(Array.from({ length: stepsAtOnce }, worker));
  return outcomes;
}

/**
 * @param {Step} step
 * @returns {Promise<Outcome>}
 */
async function skip({ name, after = '' }) {
  console.log(`- ${name}: needs ${after}`);
  return 'skipped';
}

/**
 * @param {Step} step
 * @returns {Promise<Outcome>}
 */
function run({ name, command }) {
  const start = performance.now();
  const child = spawn(command, {
    cwd: root,
    env: environment,
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  /** @type {Buffer[]} */
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    child.once('close', (status) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`${status === 0 ? '✓' : '✗'} ${name} ${seconds} s`);
      if (status !== 0) console.log(`$ ${command}\n${Buffer.concat(output).toString().trimEnd()}\n`);
      resolve(status === 0 ? 'passed' : 'failed');
    });
  });
}
