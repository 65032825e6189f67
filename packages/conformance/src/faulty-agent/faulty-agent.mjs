import { startAgent } from './agent.mjs';
// node faulty-agent.mjs FAULT: an ACP agent that does everything right, save for one thing. Without a fault it lists
// all faults. What it is, what it can, and what it says otherwise is in `agent.mjs`.
import { answers } from './answers.mjs';
import { endings } from './endings.mjs';
import { lines } from './lines.mjs';
import { requests } from './requests.mjs';
import { updates } from './updates.mjs';

/** @type {import('./agent.mjs').Faults} */
const faults = {
  none: { what: 'It does nothing wrong.' },
  ...lines,
  ...answers,
  ...endings,
  ...updates,
  ...requests,
};

const [name] = process.argv.slice(2);
const fault = new Map(Object.entries(faults)).get(name ?? '');
if (fault !== undefined) {
  startAgent(fault);
} else if (name === undefined) {
  for (const [each, { what }] of Object.entries(faults)) process.stdout.write(`${each}\t${what}\n`);
} else {
  process.stderr.write(`There is no fault ${JSON.stringify(name)}. Without an argument all are listed.\n`);
  process.exitCode = 2;
}
