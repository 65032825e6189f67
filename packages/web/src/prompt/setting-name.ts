import type { Texts } from '../text/en.ts';
import type { Setting } from './setting.ts';

/** What a setting is called: as the agent calls it, where it does. */
export function settingName({ name, by }: Setting, prompt: Texts['prompt']): string {
  return name ?? (by === 'model' ? prompt.model : prompt.mode);
}
