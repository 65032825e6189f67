import { streamText } from './payload.ts';

/** What one prompt asks the agent of a measured pair to do. */
export type Work =
  | { readonly kind: 'chunks'; readonly count: number }
  | { readonly kind: 'tool-updates'; readonly count: number }
  | { readonly kind: 'reads'; readonly count: number; readonly inFlight: number }
  | { readonly kind: 'line'; readonly bytes: number }
  /** Chunks again, but of an agent that only understands the instructions of our offline model. */
  | { readonly kind: 'repeat'; readonly count: number };

/** The prompt that asks for the work: for the bench's own agents the work itself, as JSON. */
export function promptOf(work: Work): string {
  return work.kind === 'repeat' ? `repeat ${work.count}: say: ${streamText(0).trim()}` : JSON.stringify(work);
}

/** Reads the work out of the prompt's text. */
export function parseWork(text: string): Work {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && 'kind' in value) {
    switch (value.kind) {
      case 'chunks':
      case 'tool-updates':
      case 'repeat':
        return { kind: value.kind, count: numberOf(value, 'count') };
      case 'reads':
        return { kind: 'reads', count: numberOf(value, 'count'), inFlight: numberOf(value, 'inFlight') };
      case 'line':
        return { kind: 'line', bytes: numberOf(value, 'bytes') };
    }
  }
  throw new Error(`not a piece of work: ${text.slice(0, 80)}`);
}

function numberOf(value: object, key: string): number {
  const found: unknown = Reflect.get(value, key);
  if (typeof found === 'number') return found;
  throw new Error(`"${key}" is not a number in ${JSON.stringify(value)}`);
}
