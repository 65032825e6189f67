import type { CommandWord } from '../command-part.ts';

/** Whether a program runs code from its arguments or standard input in a language that is not parsed here. */
export function runsInlineCode(name: string, words: readonly CommandWord[]): boolean {
  const texts = words.map(({ text }) => text);
  if (/^(?:g|m|n)?awk$/u.test(name)) return texts.some((text) => runsInAwk(text));
  if (/^g?sed$/u.test(name)) return texts.some((text) => runsInSed(text));
  if (!interpreter.test(name)) return false;
  if (texts.length === 0 || texts[0] === '-') return true;
  // Behind the name of a script or of a module all words are its own.
  const end = takesScript.test(name) ? texts.findIndex((text) => !text.startsWith('-') || text === '-m') : -1;
  const options = end === -1 ? texts : texts.slice(0, end);
  return options.some((text) => inlineOption.test(text)) || (name === 'deno' && texts[0] === 'eval');
}

const takesScript = /^(?:python|pypy|perl|ruby|node|deno|bun|tsx|ts-node|php|lua)/u;

const interpreter =
  /^(?:python[\d.]*|pypy[\d.]*|perl[\d.]*|ruby[\d.]*|node|nodejs|deno|bun|tsx|ts-node|php[\d.]*|lua[\d.]*|luajit|R|Rscript|julia|osascript|tclsh|expect|emacs|gdb|lldb|groovy|scala|elixir|erl|runghc|swift|jshell|irb|vim?|nvim|ex|ed|sqlite3|psql|mysql|nix-shell)$/u;

/** `-e`, `-c`, `-pe`, `-lane`, `--eval=…`, `-ex`, `--run`. */
const inlineOption =
  /^(?:-[a-zA-Z0-9]*[ceErRpB](?:$|['"\s(])|-[ceE].|--(?:eval|exec|print|execute|command|expression|run|cmd)(?:=|$)|-ex$|-(?:eval|execute|batch)$|\+.)/u;

/** `system(…)`, and what is read from or written to a command. */
function runsInAwk(text: string): boolean {
  return /system\s*\(|getline|@load|(?:^|[^|])\|(?:[^|]|$)/u.test(text);
}

/** The command `e`, or its flag behind `s`. */
function runsInSed(text: string): boolean {
  if (/(?:^|[^a-zA-Z])e(?:\s|$)/u.test(text)) return true;
  const mark = /s([^\w\s])/u.exec(text)?.[1];
  return (
    mark !== undefined &&
    text.split(mark).some((piece) => /^[gpiImM\d]*e[gpiImM\d]*(?:$|[\s;}])/u.test(piece))
  );
}
