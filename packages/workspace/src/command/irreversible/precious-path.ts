/**
 * Whether removing a path of a shell command cannot be undone: the root, a home folder, a system folder, or
 * everything in one of them. The path may use `~`, `$HOME`, `..`, patterns and braces.
 *
 * @param base The folder of a relative path, if known.
 */
export function isPreciousPath(path: string, base?: string): boolean {
  // No system takes a longer path; what a pattern or braces come to may be short.
  if (path.length > mostPathCharacters) return /[*?[{$`]/u.test(path);
  const text = path.replaceAll(/["'\\]/gu, '').replaceAll(/\$\{?HOME\}?|\$\(\s*echo\s+~\s*\)/gu, '~');
  return expandBraces(text).some((name) => isPrecious(locate(name, base)));
}

/** The folder after a `cd`; undefined if only the shell knows it. */
export function directoryAfter(target: string, base?: string): string | undefined {
  const text = target.replaceAll(/["'\\]/gu, '').replaceAll(/\$\{?HOME\}?/gu, '~');
  return text.includes('$') || text === '-' ? undefined : locate(text, base);
}

/** `/a/b`, `~/a`, or a relative path, with neither `.` nor `..` in the middle. */
function locate(path: string, base: string | undefined): string {
  const isAnchored = path.startsWith('/') || path.startsWith('~');
  if (!isAnchored && base === undefined) return path;
  const whole = isAnchored ? path : `${base ?? ''}/${path}`;
  const kept: string[] = [];
  for (const segment of whole.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    // Above a home directory is what holds all of them.
    else if (kept.pop()?.startsWith('~') === true) kept.push('home');
  }
  return whole.startsWith('~') && kept[0]?.startsWith('~') === true ? kept.join('/') : `/${kept.join('/')}`;
}

const systemDirectories: ReadonlySet<string> = new Set(
  (
    'bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys usr var ' +
    'Applications Library System Users Volumes private'
  ).split(' '),
);

function isPrecious(path: string): boolean {
  if (!path.startsWith('/') && !path.startsWith('~')) return false;
  const segments = path.split('/').filter((segment) => segment !== '');
  // All that a directory holds is as precious as the directory.
  while (segments.length > 0 && isEverything(segments.at(-1) ?? '')) segments.pop();
  const [first, , ...rest] = segments;
  if (first === undefined) return true;
  if (first.startsWith('~')) return segments.length === 1;
  if (segments.length === 1) return systemDirectories.has(first) || /[*?[]/u.test(first);
  return (first === 'home' || first === 'Users') && rest.length === 0;
}

/** `*`, `**`, `.*`, `?*`, `.[!.]*`, and the like. */
function isEverything(segment: string): boolean {
  return /^\.?(?:[*?]|\[[!^][^\]]*\])*\*$/u.test(segment);
}

/** Characters of a path that is checked. */
const mostPathCharacters = 4096;
/** Names that a pattern is expanded to. */
const mostNames = 256;

/** What `{a,b}` expands to, from the first brace on. */
function expandBraces(text: string): readonly string[] {
  let names = [text];
  for (;;) {
    const next = names.flatMap((name) => {
      const found = /^(.*?)\{([^{},]*,[^{}]*)\}(.*)$/su.exec(name);
      if (found === null) return [name];
      const [, before = '', list = '', after = ''] = found;
      return list.split(',').map((item) => before + item + after);
    });
    if (next.length === names.length && next.every((name, index) => name === names[index])) return names;
    if (next.length > mostNames) return names;
    names = next;
  }
}
