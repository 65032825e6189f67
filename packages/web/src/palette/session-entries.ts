import type { HubSession } from '@parley/host/hub';
import type { SessionState } from '@parley/host/state';
import type { HubClient } from '../hub/hub-client.ts';
import type { Notices } from '../parts/notices.tsx';
import { settingName, toSettings, type Setting } from '../session-settings/setting.ts';
import { stopStep } from '../stop/stop.ts';
import type { Texts } from '../text/en.ts';
import { ownText } from '../text/own-text.ts';
import type { PaletteEntry } from './palette-entry.ts';

/** The session that is open, and what can be done with it. */
export interface OpenSession {
  readonly session: HubSession;
  readonly view: SessionState;
  readonly texts: Texts;
  /** Our token is read-only. */
  readonly isObserver: boolean;
  readonly client: Pick<HubClient, 'cancel' | 'setMode' | 'setOption'>;
  readonly attempt: Notices['attempt'];
  readonly go: (path: string) => void;
  /** Writes into the box of the session, where its page is open. */
  readonly write?: (text: string) => void;
}

/** What can be done in the session that is open. */
export function sessionEntries(open: OpenSession): readonly PaletteEntry[] {
  const { session, view, texts, isObserver, client, attempt, go, write } = open;
  const { key, state } = session;
  const changes: PaletteEntry = {
    id: 'changes',
    group: 'session',
    label: texts.changes.open,
    run: () => go(`/sessions/${encodeURIComponent(key)}?changes`),
  };
  const worktreeName = session.worktree?.name;
  const worktree: readonly PaletteEntry[] =
    worktreeName === undefined
      ? []
      : [
          {
            id: 'worktree',
            group: 'session',
            label: texts.worktrees.compareOrShow,
            note: worktreeName,
            run: () => go(`/worktrees/${encodeURIComponent(worktreeName)}`),
          },
        ];
  const inspector: PaletteEntry = {
    id: 'inspector',
    group: 'session',
    label: texts.session.inspector,
    run: () => go(`/sessions/${encodeURIComponent(key)}/inspector`),
  };
  if (isObserver || state === 'elsewhere') return [changes, ...worktree, inspector];
  const step = stopStep(session, view);
  const canStop = step !== 'none' && step !== 'agent-ended';
  const stop: readonly PaletteEntry[] = canStop
    ? [
        {
          id: 'stop',
          group: 'session',
          label: step === 'running' ? texts.prompt.stop : texts.prompt.stopNow,
          run: () => void attempt(client.cancel(key, step === 'running' ? undefined : 0)),
        },
      ]
    : [];
  if (session.origin === 'aap') return [...stop, changes, ...worktree, inspector];
  return [
    ...stop,
    ...(state === 'starting'
      ? []
      : toSettings(view, texts.own).flatMap((setting) => settingEntries(setting, open))),
    changes,
    ...worktree,
    inspector,
    ...(write === undefined ? [] : view.commands).map(({ name, description }): PaletteEntry => ({
      id: `/${name}`,
      group: 'commands',
      label: `/${name}`,
      note: ownText(description, texts.own),
      run: () => write?.(`/${name} `),
    })),
  ];
}

/** The other possible values of a setting. */
function settingEntries(
  setting: Setting,
  { session: { key }, texts, client, attempt }: OpenSession,
): readonly PaletteEntry[] {
  const name = settingName(setting, texts.prompt);
  const entry = (value: string | boolean, called: string, note?: string): PaletteEntry => ({
    id: `${setting.by} ${setting.id} ${String(value)}`,
    group: 'session',
    label: texts.palette.set(name, called),
    ...(note !== undefined && { note }),
    run: () =>
      void attempt(
        setting.by === 'mode' && typeof value === 'string'
          ? client.setMode(key, value)
          : client.setOption(key, setting.id, value),
      ),
  });
  switch (setting.kind) {
    case 'choice':
      return setting.groups
        .flatMap(({ choices }) => choices)
        .filter(({ value }) => value !== setting.value)
        .map(({ value, name: called, asksNothing }) =>
          entry(value, called, asksNothing === true ? texts.prompt.asksNothing : undefined),
        );
    case 'switch':
      return [entry(!setting.value, setting.value ? texts.prompt.off : texts.prompt.on)];
    case 'unknown':
      return [];
  }
}
