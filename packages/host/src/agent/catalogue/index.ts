export { extendCatalogue, knownAgents } from './catalogue.ts';
export { parseEntry } from './parse-entry.ts';
export type { ParsedEntry } from './parse-entry.ts';
export { parseRegistry } from './parse-registry.ts';
export type { ParsedRegistry } from './parse-registry.ts';
