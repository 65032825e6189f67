import { realpath, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readSession, type SessionHead, type SessionStore } from '@parley/host';
import { entries, values, type SessionState } from '@parley/host/state';
import { namesSecret, Redactor } from '@parley/recording';
import { replaceFile } from '@parley/workspace';
import { CliError } from '../cli-error.ts';
import type { Variables } from '../configuration/places.ts';
import { exitStatus } from '../exit-status.ts';
import { parseWord } from '../flag-values.ts';
import { toFolderReason } from '../input-file.ts';
import { createWriter } from '../output/writer.ts';
import type { Surroundings } from '../surroundings.ts';
import { findSession, storeOf } from './find-session.ts';
import { reportUnreadable, toSummary, type SessionSummary } from './session-summary.ts';
import { toMarkdown } from './text/markdown.ts';

/** The flags of `parley sessions export`. */
export interface TypedExportFlags {
  readonly format?: string;
  readonly output?: string;
}

/** `parley sessions export`: a kept session for others to read, without what has the form of a secret. */
export async function exportSession(
  id: string,
  typed: TypedExportFlags,
  surroundings: Surroundings,
): Promise<number> {
  const format = parseWord('--format', typed.format ?? 'markdown', ['markdown', 'json']);
  const head = await findSession(id, surroundings);
  const { text, failure } = await writeSession(storeOf(surroundings), head, {
    format,
    env: surroundings.env,
  });
  if (typed.output === undefined || typed.output === '-') {
    const writer = createWriter(surroundings.stdout);
    writer.write(text);
    await writer.flush();
  } else {
    const file = path.resolve(surroundings.cwd, typed.output);
    try {
      await writeOutput(file, text);
    } catch (error) {
      throw new CliError('usage', `--output ${file}: ${toFolderReason(error)}`, { cause: error });
    }
  }
  if (failure === undefined) return exitStatus.done;
  reportUnreadable(head, failure, surroundings);
  return exitStatus.failed;
}

/** Replaces a regular file as a whole. A device or a pipe stays what it is, and receives the text. */
async function writeOutput(file: string, text: string): Promise<void> {
  const stats = await stat(file).catch(() => undefined);
  if (stats?.isFile() === false) {
    await writeFile(file, text);
    return;
  }
  const target = await realpath(file).catch(() => file);
  await replaceFile(target, text, stats === undefined ? {} : { mode: stats.mode & 0o777 });
}

/** A session as a text for others, and why the rest of it could not be read. */
export async function writeSession(
  store: SessionStore,
  head: SessionHead,
  { format, env }: { readonly format: 'markdown' | 'json'; readonly env: Variables },
): Promise<{ readonly text: string; readonly failure?: Error }> {
  const session = await readSession(store, head);
  const { state, failure } = session;
  const facts = toSummary(head, session);
  const redactor = createRedactor(env);
  const text =
    format === 'json'
      ? `${JSON.stringify(redactor.redact(toDocument(facts, state)), undefined, 2)}\n`
      : toMarkdown(facts, state, (words) => redactor.redactText(words));
  return { text, ...(failure !== undefined && { failure }) };
}

/** The keys that this shell has are secrets, wherever they stand. */
export function createRedactor(env: Variables): Redactor {
  const redactor = new Redactor();
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && namesSecret(name)) redactor.learn(value);
  }
  return redactor;
}

/** What `--format json` writes. */
function toDocument({ pid: _pid, ...facts }: SessionSummary, view: SessionState): object {
  const { agent, plan, usage, terminals } = view;
  return {
    version: 1,
    session: facts,
    ...(agent?.info !== undefined && { agentInfo: agent.info }),
    turns: [...values(view.turns)],
    items: [...values(view.items)],
    terminals: [...entries(terminals)].map(({ value }) => value),
    ...(plan !== undefined && { plan }),
    usage,
  };
}
