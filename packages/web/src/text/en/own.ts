import type { OwnTexts, OwnToolTitles } from '../own-text.ts';

/** Translations of the agent catalogue and of Parley's own agent; their originals are in English. */
export const own: OwnTexts = {};

export const ownToolTitles: OwnToolTitles = {};
