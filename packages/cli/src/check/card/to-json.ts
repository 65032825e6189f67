import type { ConformanceCard } from '@parley/conformance';
import { summarize } from './summary.ts';

/** A card as one JSON document. */
export function toJson({ target, checks }: ConformanceCard): string {
  return `${JSON.stringify({ target, checks, summary: summarize(checks) }, undefined, 2)}\n`;
}
