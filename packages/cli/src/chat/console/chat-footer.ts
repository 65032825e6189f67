import type { Style } from '../../output/style.ts';
import { toInputRows } from '../../terminal/input-rows.ts';
import type { CursorPosition, Footer, ScreenSize } from '../../terminal/live-screen.ts';
import { columnsOf, wrapLine } from '../../terminal/wrap.ts';

/** What stands before the line that is being typed. */
const prompt = '> ';

/** A typed text as it stands in the output. */
export function toEcho(text: string): string {
  return `${prompt}${text.replaceAll('\n', `\n${' '.repeat(prompt.length)}`)}`;
}

/** A text and where its cursor stands. */
export interface TypedText {
  readonly text: string;
  readonly cursor: number;
}

/** What the footer of a chat shows. */
export interface FooterState {
  /** What runs, and how long. */
  readonly activity?: string;
  /** Mode, model and the like: above the line that is being typed. */
  readonly status?: string;
  readonly question?: {
    readonly prompt: string;
    readonly answer: TypedText;
    readonly isHidden: boolean;
    /** Keys go to the question. Otherwise to the line that is being typed. */
    readonly isArmed: boolean;
  };
  /** The line that is being typed; absent where none is asked for and none was begun. */
  readonly line?: TypedText;
  /** Below the line: completions, or what a key would do. */
  readonly hints: readonly string[];
}

/** The footer of a chat, at most a third of the screen for what is being typed. */
export function toFooter(state: FooterState, { columns, rows: height }: ScreenSize, style: Style): Footer {
  const { activity, status, question, line, hints } = state;
  const maxRows = Math.max(1, Math.floor(height / 3));
  const rows: string[] = [];
  let cursor: CursorPosition | undefined;
  const add = (added: readonly string[], at?: CursorPosition): void => {
    if (at !== undefined) cursor = { row: rows.length + at.row, column: at.column };
    rows.push(...added);
  };
  if (activity !== undefined) add([style.dim(cut(activity, columns))]);
  if (question !== undefined) {
    const { prompt: asked, answer, isHidden, isArmed } = question;
    const head = wrapLine(asked, columns).slice(0, -1);
    const last = wrapLine(asked, columns).at(-1) ?? '';
    const input = toInputRows(answer.text, answer.cursor, { prompt: last, columns, maxRows, isHidden });
    add(head);
    if (isArmed) add(input.rows, input.cursor);
    else if (line !== undefined && line.text !== '') {
      add([style.dim('(A question waits: finish the line, or clear it with Ctrl-U, to answer.)')]);
    }
  }
  if (line !== undefined && question?.isArmed !== true) {
    if (status !== undefined) add([style.dim(cut(status, columns))]);
    const input = toInputRows(line.text, line.cursor, { prompt, columns, maxRows });
    add(input.rows, input.cursor);
  }
  add(hints.map((hint) => style.dim(cut(hint, columns))));
  return { rows, ...(cursor !== undefined && { cursor }) };
}

/** One row: what does not fit is left out, and said. */
function cut(text: string, columns: number): string {
  if (columnsOf(text) < columns) return text;
  let end = Math.min(text.length, columns - 2);
  while (columnsOf(text.slice(0, end)) > columns - 2) end -= 1;
  return `${text.slice(0, end)}…`;
}
