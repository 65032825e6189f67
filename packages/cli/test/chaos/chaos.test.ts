import { findPostgres, type TestPostgres } from '@parley/conformance';
import type { LoggedEvent } from '@parley/host';
import { postgresStore } from '@parley/postgres';
import { afterAll, beforeAll, describe, expect, onTestFailed, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../command.ts';
import { runSql, startTestPostgres } from '../postgres.ts';
import { ApplicationUser } from './application-user.ts';
import { askReplicas } from './ask-replicas.ts';
import { Choices, chaosOptions, toChaosVariable } from './chaos-options.ts';
import type { ChaosReplica } from './chaos-replica.ts';
import { ChaosStage, faults, type Fault } from './chaos-stage.ts';
import type { ChaosUser, ChaosUserOptions } from './chaos-user.ts';
import { checkApplication, checkEditor, checkEffects, checkLog, checkPage } from './check-chaos.ts';
import { EditorUser } from './editor-user.ts';
import { PageUser } from './page-user.ts';
import { keysOf, storedState } from './stored-state.ts';

const found = findPostgres();

// It takes a minute, and the whole machine: it runs where `PARLEY_CHAOS` asks for it.
const isWanted = process.env['PARLEY_CHAOS'] !== undefined && !('missing' in found || 'url' in found);

/** Far above the three minutes that 100 sessions with 60 faults take. */
const mostMs = 30 * 60_000;

describe.runIf(isWanted)('replicas that are disturbed', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startTestPostgres();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  test.each([
    { replicas: 2, disturbed: ['kill', 'freeze', 'refuse', 'restart-database'] },
    { replicas: 3, disturbed: ['silent', 'kill', 'half-close', 'kill-database', 'freeze', 'slow'] },
  ] satisfies { replicas: number; disturbed: Fault[] }[])(
    '$replicas of them: each event arrives once and in order, no side effect is done twice, and each turn ends',
    async ({ replicas, disturbed }) => {
      const usual = { replicas, sessions: 12, faults: disturbed.length };
      const options = chaosOptions(usual, process.env['PARLEY_CHAOS'] ?? '');
      process.stdout.write(`PARLEY_CHAOS=${toChaosVariable(options)}\n`);
      await using root = await temporaryFolder();
      const database = await server.createDatabase();
      await using stage = new ChaosStage(server, options, { root: root.path, database });
      await stage.open();
      const users = createUsers(stage);
      let isOver = false;
      onTestFinished(async () => {
        // Where the test has failed, users would go on for ever with connections that have ended.
        isOver = true;
        await Promise.all(users.all.map((user) => user.end()));
      });
      // What the test finds wrong, before it says so.
      const wrong = new Set<string>();
      onTestFailed(async () => {
        for (const { name, errors } of stage.replicas) process.stdout.write(`${name}: ${errors}\n`);
        process.stdout.write(`${JSON.stringify({ left: stage.left })}\n`);
        const ids = stage.left.flatMap(({ sessionIds }) => sessionIds);
        for (const key of await keysOf(database, ids)) wrong.add(key);
        process.stdout.write(`${await storedState(database, wrong)}\n`);
      });
      stage.onLeave = (replica) => {
        for (const user of users.all) user.leave(replica);
      };
      await Promise.all(users.all.map((user) => user.begin()));
      const work = Promise.all(
        users.all.map((user, index) => user.work(() => isOver, new Choices(options.seed + index))),
      );
      // What fails first is what the test reports.
      work.catch(() => undefined);
      const choices = new Choices(options.seed);
      for (let number = 0; number < options.faults; number += 1) {
        await stage.disturb(disturbed[number] ?? choices.of(faults));
        await stage.ready();
      }
      isOver = true;
      stage.note('no more faults');
      try {
        for (const { prompts } of users.all) {
          await expect
            .poll(() => {
              const left = prompts.filter(({ outcome }) => outcome === undefined);
              for (const { key } of left) wrong.add(key);
              return left;
            })
            .toEqual([]);
        }
      } catch (error) {
        for (const key of wrong) {
          const [last] = users.applications.flatMap(({ lastRequests }) => lastRequests.get(key) ?? []);
          process.stdout.write(`${last ?? 'no request'}\n${await askReplicas(stage, key)}\n`);
        }
        throw error;
      }
      wrong.clear();
      await work;
      stage.note('all prompts have a response');
      await expect.poll(() => commandsThatWait(database)).toEqual([]);
      for (const page of users.pages) {
        await expect.poll(() => page.keys.every((key) => page.isAtRest(key))).toBe(true);
      }
      const seen = await readLogs(database);
      for (const page of users.pages) await expect.poll(() => page.hasReceived(seen)).toBe(true);
      for (const editor of users.editors) await expect.poll(() => editor.hasReceived(seen)).toBe(true);
      await Promise.all(users.all.map((user) => user.end()));
      for (const replica of stage.replicas) {
        expect(await replica.end('SIGTERM')).toMatchObject({ status: 0 });
      }
      await expect.poll(() => stage.agents).toEqual([]);

      const logs = await readLogs(database);
      for (const [key, events] of logs) {
        wrong.add(key);
        checkLog(events);
        wrong.delete(key);
      }
      checkEffects(stage.effects, logs, users.all);
      for (const page of users.pages) checkPage(page, logs);
      for (const editor of users.editors) checkEditor(editor, logs);
      for (const application of users.applications) checkApplication(application);
      process.stdout.write(`${stage.report}\n${outcomesOf(users.all)}\n`);
    },
    mostMs,
  );
});

interface ChaosUsers {
  readonly all: readonly ChaosUser[];
  readonly pages: readonly PageUser[];
  readonly editors: readonly EditorUser[];
  readonly applications: readonly ApplicationUser[];
}

/** Half of the sessions are watched by pages; editors and applications have a quarter each. */
function createUsers(stage: ChaosStage): ChaosUsers {
  const quarter = Math.max(1, Math.round(stage.options.sessions / 4));
  let count = 0;
  const options = (sessions: number): ChaosUserOptions => {
    const choices = new Choices(stage.options.seed + 1000 + count);
    // Each replica has sessions before the first fault.
    let first = stage.replicas[count % stage.replicas.length];
    count += 1;
    const choose = (): ChaosReplica => {
      const chosen = first ?? stage.choose(choices);
      first = undefined;
      return chosen;
    };
    return { token: stage.places.token, cwd: stage.cwd, sessions, choose };
  };
  const pages = [new PageUser(options(quarter)), new PageUser(options(quarter))];
  const editors = [new EditorUser(options(quarter))];
  const applications = [new ApplicationUser(options(quarter))];
  return { all: [...pages, ...editors, ...applications], pages, editors, applications };
}

function commandsThatWait(database: string): Promise<readonly object[]> {
  return runSql(database, 'select key, taken_by, body from parley.commands where done_at is null');
}

async function readLogs(database: string): Promise<ReadonlyMap<string, readonly LoggedEvent[]>> {
  await using store = postgresStore({ url: database, folder: '/nowhere' });
  const logs = new Map<string, LoggedEvent[]>();
  for (const { key } of await store.list()) {
    const events: LoggedEvent[] = [];
    await store.read(key, (event) => void events.push(event));
    logs.set(key, events);
  }
  return logs;
}

/** How often which response was given. */
function outcomesOf(users: readonly ChaosUser[]): string {
  const counts = new Map<string, number>();
  for (const { prompts } of users) {
    for (const { outcome = 'no response' } of prompts) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  return [...counts].map(([outcome, count]) => `${String(count)} × ${outcome}`).join('\n');
}
