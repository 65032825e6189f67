import { useEffect, useRef } from 'react';

/** How long a page may take to display its heading. */
const patienceMs = 5000;

/** Moves the focus to a new page: to its open question, else to its heading, unless it is in the page already. */
export function useHeadingFocus(path: string): void {
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return undefined;
    last.current = path;
    const content = document.querySelector('#content');
    if (content === null) return undefined;
    const focus = (): boolean => {
      const { activeElement } = document;
      if (activeElement !== content && content.contains(activeElement)) return true;
      const heading = content.querySelector<HTMLElement>('[data-question]') ?? content.querySelector('h1');
      if (heading === null) return false;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
      return true;
    };
    // The previous page was removed, and this one may still be loading.
    const observer = new MutationObserver(() => {
      if (focus()) observer.disconnect();
    });
    if (!focus()) observer.observe(content, { childList: true, subtree: true });
    const timer = setTimeout(() => observer.disconnect(), patienceMs);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [path]);
}
