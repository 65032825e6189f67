/** This moment in microseconds since 1970, as a word that can be found in a page; all processes of a machine have one clock. */
export function timeMark(): string {
  return `t${String(nowMicros())}`;
}

/** Microseconds since 1970, of the clock of {@link timeMark}. */
export function nowMicros(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1000);
}

/** Put into a page: remembers how many milliseconds after its mark each word of time was in the document. */
export const watchTimeMarks = `
  globalThis.delays = [];
  let last = 0;
  new MutationObserver(() => {
    const now = (performance.timeOrigin + performance.now()) * 1000;
    const marks = [];
    // The newest words are at the end; what was seen before ends the search.
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.lastChild(); text !== null; text = texts.previousNode()) {
      const found = [...text.data.matchAll(/t(\\d{16})/g)].map(([, mark]) => Number(mark));
      marks.push(...found.filter((mark) => mark > last));
      if (found.some((mark) => mark <= last)) break;
    }
    if (marks.length === 0) return;
    for (const mark of marks) globalThis.delays.push((now - mark) / 1000);
    last = Math.max(...marks);
  }).observe(document, { childList: true, characterData: true, subtree: true });`;
