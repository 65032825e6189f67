import { Menu } from 'lucide-react';
import { type ReactElement, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useHub } from '../hub/use-hub.ts';
import { later } from '../parts/later.tsx';
import { useMedia } from '../parts/use-media.ts';
import { useFirstText } from '../text/language.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { SideBar } from './side-bar.tsx';
import { useDocumentTitle } from './use-document-title.ts';
import { useHeadingFocus } from './use-heading-focus.ts';
import { useShortcuts } from './use-shortcuts.ts';
import './frame.css';

const CommandPalette = later(async () => (await import('../palette/command-palette.tsx')).CommandPalette);
// Only narrow screens have one.
const Drawer = later(async () => (await import('../parts/dialog.tsx')).Dialog);
const ShortcutList = later(async () => (await import('./shortcut-list.tsx')).ShortcutList);
const HubAlerts = later(async () => (await import('../alerts/hub-alerts.tsx')).HubAlerts);

/** What is around every page: where one is, where one can go, and how the connection is. */
export function Frame({ children }: { readonly children: ReactNode }): ReactElement {
  const { shell } = useFirstText();
  const { connection } = useHub();
  const [path] = useLocation();
  const isNarrow = useMedia('(width < 50rem)');
  /** The page over which the drawer is open: another page closes it. */
  const [drawer, setDrawer] = useState<string>();
  const [areShortcutsShown, setAreShortcutsShown] = useState(false);
  const showShortcuts = (): void => {
    setDrawer(undefined);
    setAreShortcutsShown(true);
  };
  const [isPaletteShown, setIsPaletteShown] = useState(false);
  const showPalette = (): void => {
    setDrawer(undefined);
    setIsPaletteShown(true);
  };
  usePaletteKey(() => setIsPaletteShown(!isPaletteShown));
  useDocumentTitle(path);
  useHeadingFocus(path);
  useShortcuts(showShortcuts);
  return (
    <div className="frame" data-connection={connection.state}>
      <a className="frame-skip button" href="#content">
        {shell.skipToContent}
      </a>
      {isNarrow ? (
        <TopBar onMenu={() => setDrawer(path)} />
      ) : (
        <aside className="side" aria-label={shell.sideBar}>
          <SideBar onShortcuts={showShortcuts} onPalette={showPalette} />
        </aside>
      )}
      {isNarrow && drawer === path && (
        <PageBoundary isPart>
          <Drawer title="Parley" isDrawer onClose={() => setDrawer(undefined)}>
            <SideBar onShortcuts={showShortcuts} onPalette={showPalette} />
          </Drawer>
        </PageBoundary>
      )}
      <div className="frame-page">
        <ConnectionNotice />
        <PageBoundary isPart>
          <HubAlerts />
        </PageBoundary>
        <main className="frame-main" id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      {isPaletteShown && (
        <PageBoundary isPart>
          <CommandPalette onClose={() => setIsPaletteShown(false)} onShortcuts={showShortcuts} />
        </PageBoundary>
      )}
      {areShortcutsShown && (
        <PageBoundary isPart>
          <ShortcutList onClose={() => setAreShortcutsShown(false)} />
        </PageBoundary>
      )}
    </div>
  );
}

function TopBar({ onMenu }: { readonly onMenu: () => void }): ReactElement {
  const { shell } = useFirstText();
  const { questions } = useHub();
  return (
    <header className="top">
      <button type="button" className="button button-plain top-menu" onClick={onMenu} aria-haspopup="dialog">
        <Menu aria-hidden size={20} />
        {shell.menu}
      </button>
      {questions.length > 0 && (
        <Link href="/inbox" className="top-inbox">
          {shell.waitingQuestions(questions.length)}
        </Link>
      )}
    </header>
  );
}

/** Listens for the keys that open the palette, also while the user types; not over another dialog. */
function usePaletteKey(toggle: () => void): void {
  const press = useEffectEvent(toggle);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing, repeat } = event;
      if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey || shiftKey || isComposing) return;
      if (document.querySelector('dialog[open]:not(.palette)') !== null) return;
      event.preventDefault();
      if (!repeat) press();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
