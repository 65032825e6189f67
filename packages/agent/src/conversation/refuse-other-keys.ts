import { invalidParams } from '@parley/acp';

/** Source document 001, C.8: credentials do not travel, and nothing that could be one is passed over in silence. */
export function refuseOtherKeys(raw: unknown, known: readonly string[]): void {
  if (typeof raw !== 'object' || raw === null) return;
  const other = Object.keys(raw).find((key) => !known.includes(key));
  if (other !== undefined) throw invalidParams(other, 'nothing: this field is not taken');
}
