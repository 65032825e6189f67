export { checkValue, parserOf, pathText } from './check-value.ts';
export type { Checked, Fault, FaultKind } from './check-value.ts';
export {
  anyObject,
  byName,
  checked,
  either,
  fields,
  flag,
  isObject,
  knownFields,
  listOf,
  number,
  oneOf,
  optional,
  text,
  word,
} from './shapes.ts';
export type { FieldsOf, OptionalField, Schema, ValueFault } from './shapes.ts';
