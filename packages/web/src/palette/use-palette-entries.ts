import { use, useMemo } from 'react';
import { useLocation } from 'wouter';
import { useHub, useHubClient } from '../hub/use-hub.ts';
import { useNotices } from '../parts/notices.tsx';
import { OpenBoxContext } from '../prompt/open-box.ts';
import { startable } from '../sessions/start-choice.ts';
import { languages, useLanguage, useText } from '../text/language.tsx';
import { chooseTheme, readTheme } from '../theme/theme.ts';
import type { PaletteEntry, PaletteGroup } from './palette-entry.ts';
import { sessionEntries } from './session-entries.ts';

/** All that can be done from here, and all places to go to. */
export function usePaletteEntries(query: string, onShortcuts: () => void): readonly PaletteEntry[] {
  const texts = useText();
  const hub = useHub();
  const client = useHubClient();
  const { language, choose } = useLanguage();
  const { attempt } = useNotices();
  const box = use(OpenBoxContext);
  const [path, go] = useLocation();
  const { palette, shell, sessions: words, settings, inbox } = texts;
  const { sessions, agents, isObserver, isAdmin } = hub;
  const [, key = '', below] = /^\/sessions\/([^/]+)(\/.*)?$/u.exec(path) ?? [];
  const open = sessions.get(key);
  const { view } = client.feed(key);

  const here = useMemo(() => {
    if (open === undefined) return [];
    return sessionEntries({
      session: open,
      view,
      texts,
      isObserver,
      client,
      attempt,
      go,
      ...(below === undefined && { write: (text: string) => box.current?.append(text) }),
    });
  }, [open, view, texts, isObserver, client, attempt, go, box, below]);
  const others = useMemo(
    () =>
      [...sessions.values()]
        .filter((session) => session.key !== key)
        .toSorted((left, right) => right.updatedAt - left.updatedAt)
        .map((session): PaletteEntry => {
          const agent = agents.find(({ name }) => name === session.agent)?.title ?? session.agent;
          return {
            id: `session ${session.key}`,
            group: 'sessions',
            label: session.title ?? words.untitled,
            note: `${agent} · ${session.cwd}`,
            run: () => go(`/sessions/${encodeURIComponent(session.key)}`),
          };
        }),
    [sessions, key, agents, words, go],
  );
  return useMemo(() => {
    const place = (label: string, address: string, group: PaletteGroup = 'go'): PaletteEntry => ({
      id: address,
      group,
      label,
      run: () => go(address),
    });
    const wanted = query.trim();
    return [
      ...here,
      ...others,
      ...(isObserver
        ? []
        : startable(agents).map(({ name, title = name }): PaletteEntry => ({
            id: `begin ${name}`,
            group: 'begin',
            label: palette.beginWith(title),
            run: () => go(`/?agent=${encodeURIComponent(name)}`),
          }))),
      place(shell.inbox, '/inbox'),
      place(shell.search, '/search'),
      place(shell.agents, '/agents'),
      place(texts.worktrees.title, '/worktrees'),
      ...(isObserver ? [] : [place(texts.worktrees.beginRace, '/worktrees/race')]),
      place(texts.usage.title, '/usage'),
      place(texts.machines.title, '/machines'),
      place(shell.settings, '/settings'),
      ...(isAdmin || isObserver ? [place(inbox.permissions, '/permissions')] : []),
      place(settings.recordings, '/inspector'),
      { id: 'shortcuts', group: 'go', label: shell.shortcuts, run: onShortcuts },
      ...(['light', 'dark', 'system'] as const)
        .filter((theme) => theme !== readTheme())
        .map((theme): PaletteEntry => ({
          id: `theme ${theme}`,
          group: 'look',
          label: palette.set(shell.theme, shell[theme]),
          run: () => chooseTheme(theme),
        })),
      ...languages
        .filter(({ id }) => id !== language)
        .map(({ id, name }): PaletteEntry => ({
          id: `language ${id}`,
          group: 'look',
          label: palette.set(shell.language, name),
          run: () => choose(id),
        })),
      ...(wanted === ''
        ? []
        : [place(words.searchAll(wanted), `/search?q=${encodeURIComponent(wanted)}`, 'search')]),
    ];
  }, [
    here,
    others,
    agents,
    isObserver,
    isAdmin,
    query,
    palette,
    shell,
    texts,
    settings,
    inbox,
    words,
    language,
    choose,
    go,
    onShortcuts,
  ]);
}
