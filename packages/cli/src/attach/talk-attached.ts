import type { Surroundings } from '../surroundings.ts';
import type { AttachFlags } from './flags.ts';
export function talkAttached(_flags: AttachFlags, _surroundings: Surroundings): Promise<number> {
  return Promise.resolve(1);
}
