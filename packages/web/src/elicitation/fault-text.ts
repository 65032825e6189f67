import type { Texts } from '../text/en.ts';
import type { FieldFault } from './form-answer.ts';

/** What is wrong with a field, in words. */
export function faultText(fault: FieldFault, { faults }: Texts['inbox']): string {
  switch (fault.kind) {
    case 'missing':
    case 'not-a-number':
    case 'not-whole':
    case 'not-a-choice':
    case 'not-json':
    case 'no-answer':
      return faults[fault.kind];
    case 'too-short':
    case 'too-long':
    case 'too-small':
    case 'too-large':
    case 'too-few':
    case 'too-many':
      return faults[fault.kind](fault.bound);
    case 'format':
      return faults.format[fault.format];
    case 'pattern':
      return faults.pattern(fault.pattern);
  }
}
