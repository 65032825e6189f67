import type { LoggedEvent } from '@parley/host';
import { expect } from 'vitest';
import type { ApplicationUser } from './application-user.ts';
import type { ChaosUser } from './chaos-user.ts';
import type { EditorUser } from './editor-user.ts';
import type { PageUser } from './page-user.ts';
import { textIn, type StoredLogs } from './stored-logs.ts';

/** Each event has the next number, each turn has an end, and each prompt has one turn. */
export function checkLog(events: readonly LoggedEvent[]): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  let isRunning = false;
  const prompts: string[] = [];
  for (const event of events) {
    if (event.type === 'turn-start') {
      expect(isRunning).toBe(false);
      isRunning = true;
      prompts.push(promptOf(event));
    } else if (event.type === 'turn-end' || event.type === 'interruption') {
      isRunning = false;
    }
  }
  expect(isRunning).toBe(false);
  expect(duplicatesIn(prompts)).toEqual([]);
}

/** No side effect was done twice, and those of a turn that ended were done. */
export function checkEffects(
  effects: readonly string[],
  logs: StoredLogs,
  users: readonly ChaosUser[],
): void {
  expect(duplicatesIn(effects)).toEqual([]);
  const done = new Set(effects);
  const steps = new Map(users.flatMap(({ prompts }) => prompts.map((prompt) => [prompt.id, prompt.steps])));
  const missing = [...logs.values()].flatMap((events) =>
    endedPrompts(events).flatMap((id) =>
      Array.from({ length: steps.get(id) ?? 0 }, (_, step) => `${id} ${String(step + 1)}`).filter(
        (line) => !done.has(line),
      ),
    ),
  );
  expect(missing).toEqual([]);
}

/** A page received each event once and in order, as it is stored, and each of its prompts had a turn. */
export function checkPage({ received, prompts }: PageUser, logs: StoredLogs): void {
  for (const [key, events] of received) expect(events).toEqual(logs.get(key)?.slice(0, events.length));
  const begun = new Set(
    [...received.values()].flatMap((events) =>
      events.flatMap((event) => (event.type === 'turn-start' ? [promptOf(event)] : [])),
    ),
  );
  expect(prompts.filter(({ id }) => !begun.has(id))).toEqual([]);
}

/** An editor received what its agents said, once and in order. */
export function checkEditor({ said }: EditorUser, logs: StoredLogs): void {
  for (const [key, text] of said) expect(text).toBe(textIn(logs.get(key) ?? []));
}

/** An application received what was said in each of its turns once and in order, and one stop. */
export function checkApplication({ turns, prompts }: ApplicationUser): void {
  const steps = new Map(prompts.map((prompt) => [prompt.id, prompt.steps]));
  for (const { id, text, stops } of turns) {
    const whole = Array.from({ length: steps.get(id) ?? 0 }, (_, step) => `${id} ${String(step + 1)};`).join(
      '',
    );
    if (stops[0] === 'end_turn') expect(text).toBe(whole);
    else expect(whole.startsWith(text)).toBe(true);
    expect(stops.length).toBeLessThanOrEqual(1);
  }
}

function promptOf(event: LoggedEvent & { readonly type: 'turn-start' }): string {
  const last = event.prompt.at(-1);
  return last?.type === 'text' ? (last.text.split(' ')[0] ?? '') : '';
}

/** The prompts whose turn ended with a stop reason. */
function endedPrompts(events: readonly LoggedEvent[]): readonly string[] {
  let id = '';
  return events.flatMap((event) => {
    if (event.type === 'turn-start') id = promptOf(event);
    return event.type === 'turn-end' && !('error' in event) && event.stopReason === 'end_turn' ? [id] : [];
  });
}

function duplicatesIn(lines: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return lines.filter((line) => seen.size === seen.add(line).size);
}
