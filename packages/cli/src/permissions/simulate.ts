import path from 'node:path';
import {
  answerList,
  simulateSession,
  type ChangedDecision,
  type SessionHead,
  type StoredAnswer,
  type SimulatedPolicy,
} from '@parley/host';
import type { ConfiguredRule } from '@parley/workspace/rule';
import { parseRules } from '../configuration/parse-configuration.ts';
import { answersFile } from '../configuration/places.ts';
import { readConfiguration } from '../configuration/read-configuration.ts';
import { exitStatus } from '../exit-status.ts';
import { parseAge } from '../flag-values.ts';
import { decodeInput, readInputFile, toFileReason } from '../input-file.ts';
import { fromHome } from '../output/from-home.ts';
import { toPlainLine, toPlainText } from '../output/plain.ts';
import { createStyle, type Style } from '../output/style.ts';
import { toLocalTime } from '../output/time-text.ts';
import { createWriter } from '../output/writer.ts';
import { findSessions, shortId, storeOf } from '../sessions/find-session.ts';
import type { Surroundings } from '../surroundings.ts';
import { readState } from './read-state.ts';
import { rememberedAnswers } from './remembered-answers.ts';

/** The flags of `parley permissions simulate`, as typed. */
export interface SimulateFlags {
  readonly rules?: string;
  readonly since?: string;
  readonly json?: boolean;
}

/** `parley permissions simulate`: what of the requests of before would be decided differently by the rules of now. */
export async function simulatePermissions(flags: SimulateFlags, surroundings: Surroundings): Promise<number> {
  const { stdout, stderr, env } = surroundings;
  const now = Date.now();
  const since = flags.since === undefined ? undefined : now - parseAge('--since', flags.since);
  const policyFor = await openPolicies(flags, surroundings);
  const store = storeOf(surroundings);
  const sessions = await findSessions({}, surroundings);
  const writer = createWriter(stdout);
  const page = flags.json === true ? new JsonPage() : new TextPage(createStyle(stdout.isTTY === true, env));
  const total = { judged: 0, unjudged: 0, unread: 0 };
  writer.write(page.begin());
  for (const head of sessions) {
    if (writer.closed.aborted) break;
    if (since !== undefined && head.updatedAt < since) continue;
    try {
      const counts = await simulateSession(store, head.key, {
        policyFor,
        now,
        ...(since !== undefined && { since }),
        onChange: (change) => {
          writer.write(page.show(change, head));
          return writer.ready();
        },
      });
      total.judged += counts.judged;
      total.unjudged += counts.unjudged;
    } catch (error) {
      total.unread += 1;
      const reason = toPlainLine(toFileReason(error), 1000);
      stderr.write(`parley: session ${shortId(head.key)} cannot be evaluated completely: ${reason}\n`);
    }
  }
  writer.write(page.end(total));
  await writer.flush();
  return exitStatus.done;
}

/** What holds in each folder: the rules of the file that was given, else those of the configuration there. */
async function openPolicies(
  { rules: file }: SimulateFlags,
  { env, stderr, cwd: here }: Surroundings,
): Promise<(cwd: string) => Promise<SimulatedPolicy>> {
  const said = new Set<string>();
  const warn = (message: string): void => {
    if (said.has(message)) return;
    if (said.size < mostKept) said.add(message);
    stderr.write(`parley: warning: ${toPlainText(message)}\n`);
  };
  const given = file === undefined ? undefined : await readRules(path.resolve(here, file), warn);
  const answers: readonly StoredAnswer[] = await readState(answerList(answersFile(env)).read());
  // What is wrong with the user's own configuration ends it here, and not once for each session.
  if (given === undefined) await readConfiguration({ cwd: here, env, warn });
  const kept = new Map<string, SimulatedPolicy>();
  return async (cwd) => {
    const known = kept.get(cwd);
    if (known !== undefined) return known;
    const rules: readonly ConfiguredRule[] = given ?? (await readConfiguration({ cwd, env, warn })).rules;
    const policy = { rules, answers: await rememberedAnswers(answers, { cwd, env }) };
    if (kept.size >= mostKept) kept.clear();
    kept.set(cwd, policy);
    return policy;
  };
}

/** Folders whose rules are cached, and warnings that are remembered to avoid duplicates. */
const mostKept = 100;

async function readRules(file: string, warn: (message: string) => void): Promise<readonly ConfiguredRule[]> {
  const place = { label: file, code: 'configuration' } as const;
  const { rules, warnings } = await parseRules(decodeInput(await readInputFile(file, place), place), file);
  for (const warning of warnings) warn(warning);
  return rules.map((rule) => ({ ...rule, origin: 'user' }));
}

/** What is said at the end. */
interface Total {
  readonly judged: number;
  readonly unjudged: number;
  /** Sessions that could not be read to their end. */
  readonly unread: number;
}

/** One JSON document, written as it comes. */
class JsonPage {
  #count = 0;

  begin(): string {
    return '{\n  "v": 1,\n  "changed": [';
  }

  show(change: ChangedDecision, { key }: SessionHead): string {
    const comma = this.#count === 0 ? '' : ',';
    this.#count += 1;
    return `${comma}\n    ${JSON.stringify({ session: key, ...change })}`;
  }

  end({ judged, unjudged, unread }: Total): string {
    const space = this.#count === 0 ? '' : '\n  ';
    const [all, not, sessions] = [judged, unjudged, unread].map(String);
    return `${space}],\n  "judged": ${all ?? ''},\n  "unjudged": ${not ?? ''},\n  "unreadSessions": ${sessions ?? ''}\n}\n`;
  }
}

/** Lines for a reader. */
class TextPage {
  readonly #style: Style;
  #count = 0;

  constructor(style: Style) {
    this.#style = style;
  }

  begin(): string {
    return '';
  }

  show({ time, agent, cwd, kind, what, before, now }: ChangedDecision, { key }: SessionHead): string {
    this.#count += 1;
    const place = `${toPlainLine(agent, 60)} in ${toPlainLine(fromHome(cwd), 200)}`;
    const by = before.person === undefined ? deciders[before.by] : toPlainLine(before.person, 60);
    const lines = [
      this.#style.bold(`${shortId(key)}  ${toLocalTime(Date.parse(time))}  ${place}`),
      `  ${kind}: ${what}`,
      `  then  ${words[before.decision]} by ${by}: ${toPlainLine(before.reason, 400)}`,
      `  now   ${words[now.decision]}: ${toPlainLine(now.reason, 400)}`,
    ];
    return `${lines.join('\n')}\n\n`;
  }

  end({ judged, unjudged }: Total): string {
    const requests = `${String(judged)} ${judged === 1 ? 'request' : 'requests'}`;
    const rest = unjudged === 0 ? '' : `; ${String(unjudged)} more can no longer be judged`;
    return `Of ${requests}, ${String(this.#count)} would be decided differently${rest}.\n`;
  }
}

const words = { allow: 'allowed', reject: 'rejected', cancelled: 'cancelled', ask: 'asked' } as const;

const deciders = {
  flag: 'the approval level',
  rule: 'a rule',
  person: 'the user',
  nobody: 'default',
} as const;
