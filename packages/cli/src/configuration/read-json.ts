import { checkValue, pathText, type Fault, type Schema } from '@parley/workspace/schema';
import { CliError } from '../cli-error.ts';

/** Parses the text of a JSON file, which may have comments and trailing commas. @throws {CliError} `configuration` */
export async function parseJson(text: string, file: string): Promise<unknown> {
  const withoutMark = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return JSON.parse(withoutMark);
  } catch {
    // Most files have no comments: the parser is loaded for those that do.
    const { parseWithComments } = await import('./json-with-comments.ts');
    const parsed = parseWithComments(withoutMark);
    if ('value' in parsed) return parsed.value;
    const { fault } = parsed;
    const place = fault === undefined ? '' : `:${String(fault.line)}:${String(fault.column)}`;
    const expected = fault?.expected === undefined ? '' : `, expected ${fault.expected}`;
    throw new CliError('configuration', `${file}${place}: not valid JSON${expected}`);
  }
}

/** What a file says, and what in it is ignored. */
export interface ReadFile<T> {
  readonly value: T;
  /** Fields that mean nothing here: a typing error, or of a newer version. */
  readonly unknown: readonly Fault[];
  /** The same in words. */
  readonly warnings: readonly string[];
}

/**
 * Reads what the value of a file has to be. Each complaint has the file, the place in it, and what was expected there; never the value.
 *
 * @throws {CliError} `configuration`
 */
export function readAs<T>(schema: Schema<T>, value: unknown, file: string): ReadFile<T> {
  const checked = checkValue(schema, value);
  const fault = checked.faults.find(({ kind }) => kind !== 'unknown');
  if (fault !== undefined) throw new CliError('configuration', faultText(fault, file));
  if (!checked.isTyped) throw new CliError('configuration', faultText(checked.faults[0], file));
  // The fields of an object are reported before those of objects in it.
  const unknown = checked.faults.toSorted((left, right) => left.path.length - right.path.length);
  return { value: checked.value, unknown, warnings: unknown.map((each) => faultText(each, file)) };
}

function faultText({ kind, path, reason, found = '' }: Fault, file: string): string {
  switch (kind) {
    case 'missing':
      return `${placeText(path.slice(0, -1), file)}: expected a field ${JSON.stringify(path.at(-1))}`;
    case 'type':
      return `${placeText(path, file)}: expected ${reason}, found ${found}`;
    case 'unknown':
    case 'value':
      return `${placeText(path, file)}: ${reason}`;
  }
}

function placeText(path: Fault['path'], file: string): string {
  return path.length === 0 ? file : `${file}: ${pathText(path)}`;
}
