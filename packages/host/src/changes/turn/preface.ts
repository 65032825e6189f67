import type { ChangedPath } from '../../event/changes-event.ts';

/** What an agent is sent before the next prompt, where users changed files under it by undo, redo or revert. */
export function prefaceOf(paths: readonly ChangedPath[]): { readonly preface?: string } {
  if (paths.length === 0) return {};
  const named = paths
    .slice(0, mostNamed)
    .map((path) => (typeof path === 'string' ? path : shown(path.base64)));
  const more = paths.length - named.length;
  const list = [...named, ...(more > 0 ? [`and ${String(more)} more`] : [])].map((name) => `- ${name}`);
  return {
    preface: `${prefaceStart} Read them again before you change them:\n${list.join('\n')}`,
  };
}

/** The first words of the preface. */
const prefaceStart =
  '[Parley] The user undid or restored changes since your last turn. These files are different now.';

/** Changed files that a prompt names. */
const mostNamed = 100;

function shown(base64: string): string {
  return JSON.stringify(Buffer.from(base64, 'base64').toString('utf8'));
}
