/** The chosen theme, or that of the system. */
export type Theme = 'light' | 'dark' | 'system';

const name = 'parley-theme';

/** Dispatched on the window when another one is chosen on this page. */
const changed = 'parley-theme-change';

/** What was chosen in this browser. */
export function readTheme(): Theme {
  const kept = localStorage.getItem(name);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Keeps a choice, and shows it. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(name);
  else localStorage.setItem(name, theme);
  showTheme();
  dispatchEvent(new Event(changed));
}

/** Adds a listener for a changed theme. @returns a function that removes it */
export function listenToTheme(listener: () => void): () => void {
  addEventListener(changed, listener);
  return () => removeEventListener(changed, listener);
}

/** Applies the chosen theme, or the system's. */
export function showTheme(): void {
  const theme = readTheme();
  const isDark = theme === 'dark' || (theme === 'system' && systemIsDark.matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
}

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
systemIsDark.addEventListener('change', showTheme);
