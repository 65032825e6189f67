import { readOnlyAttempts } from './attempts-in-read-only.ts';
import { protectedAttempts, readAttempts, writeAttempts } from './attempts-on-files.ts';
import { networkAttempts, systemAttempts } from './attempts-on-the-system.ts';
import { listedAttempts, otherWays, proxyAttempts } from './attempts-through-the-proxy.ts';
import type { EscapeAttempt, EscapeResult, EscapeTarget } from './escape-target.ts';

/** Tries all ways out, one after the other, and prints the results. The first argument is the target, the second one the mode of the sandbox. */
const target: EscapeTarget = JSON.parse(process.argv[2] ?? '');
const inWorkspace = {
  ...readAttempts,
  ...networkAttempts,
  ...listedAttempts,
  ...proxyAttempts,
  ...otherWays,
  ...systemAttempts,
  ...writeAttempts,
  ...protectedAttempts,
};
const attempts = process.argv[3] === 'read-only' ? readOnlyAttempts : inWorkspace;
const results: EscapeResult[] = [];
for (const [name, attempt] of Object.entries(attempts)) results.push(await result(name, attempt));
process.stdout.write(JSON.stringify(results), () => process.exit());

async function result(name: string, attempt: EscapeAttempt): Promise<EscapeResult> {
  try {
    return { name, escaped: await Promise.race([attempt(target), tooLate()]) };
  } catch (error) {
    return { name, escaped: false, reason: String(error) };
  }
}

/** Ends an attempt that never ends. */
function tooLate(): Promise<boolean> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error('no end')), 60_000).unref();
  });
}
