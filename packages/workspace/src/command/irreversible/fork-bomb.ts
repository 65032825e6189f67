/** Whether a line starts itself again and again: `:(){ :|:& };:`. */
export function isForkBomb(line: string): boolean {
  const text = line.replaceAll(/["'\\]/gu, '').replaceAll(/\s+/gu, ' ');
  return (
    callsItselfTwice(text) ||
    /\$0 ?[|&] ?\$0/u.test(text) ||
    /\bfork\b(?:\(\))? while (?:1|true|fork\b)|while ?\(?(?:1|True|true)\)?[ :{]+(?:os\.)?fork\(?\)?/u.test(
      text,
    )
  );
}

/** Whether a function calls itself twice before anything in it ends. Runs in linear time. */
function callsItselfTwice(text: string): boolean {
  const open = new Set<string>();
  for (const [found, defined, declared, repeated] of text.matchAll(token)) {
    if (found === '}') open.clear();
    else if (repeated === undefined) open.add(defined ?? declared ?? '');
    else if (open.has(repeated)) return true;
  }
  return false;
}

/** `}`, `NAME() {`, `function NAME {`, or a name that stands on both sides of a pipe. */
const token =
  /\}|(?<![\w:.])([\w:.]+) ?\(\) ?\{|(?<=\bfunction )([\w:.]+) ?\{|(?<![\w:.])([\w:.]+) ?[|&] ?(?=\3(?![\w:.]))/gu;
