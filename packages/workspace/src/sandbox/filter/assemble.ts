/** A rule of a filter of system calls: all conditions must hold. Rules are applied in order; a call that no rule names is allowed. */
export interface FilterRule {
  readonly call: number;
  /** Conditions on the low 32 bits of an argument. @default none */
  readonly when?: readonly ArgumentCondition[];
  /** The error that the call returns. */
  readonly error: number;
}

/** `not`: the argument is none of the values; `is`: it equals the value; `any`: it has one of these bits. */
export type ArgumentCondition =
  | { readonly argument: number; readonly is: number }
  | { readonly argument: number; readonly any: number }
  | { readonly argument: number; readonly not: readonly number[] };

/** The instruction sets that a filter can be made for. */
export interface FilterArchitecture {
  /** `AUDIT_ARCH_…`: calls of any other instruction set fail. */
  readonly audit: number;
  /** Calls from this number on belong to another interface of the same instruction set (x32), and fail. */
  readonly end?: number;
}

/** Assembles the BPF program of a filter, as `seccomp(2)` reads it: 8 bytes an instruction, little-endian. */
export function assembleFilter(architecture: FilterArchitecture, rules: readonly FilterRule[]): Buffer {
  const noSuchCall = refuse(38);
  const program: Instruction[] = [
    load(offsets.architecture),
    // Skips the next instruction.
    { code: codes.jumpIfEqual, yes: 1, no: 0, value: architecture.audit },
    noSuchCall,
    load(offsets.call),
  ];
  if (architecture.end !== undefined) {
    program.push({ code: codes.jumpIfAtLeast, yes: 0, no: 1, value: architecture.end }, noSuchCall);
  }
  for (const rule of rules) program.push(...assembleRule(rule));
  program.push({ code: codes.return, yes: 0, no: 0, value: allow });
  return Buffer.concat(program.map(toBytes));
}

interface Instruction {
  readonly code: number;
  /** How many instructions are skipped when the condition holds, or does not. */
  readonly yes: number;
  readonly no: number;
  readonly value: number;
}

const codes = {
  load: 0x20,
  jumpIfEqual: 0x15,
  jumpIfAtLeast: 0x35,
  jumpIfAnyBit: 0x45,
  return: 0x06,
} as const;
/** In `struct seccomp_data`. */
const offsets = { call: 0, architecture: 4, arguments: 16 } as const;
const allow = 0x7fff_0000;

/** Compares the number first; the accumulator is the number again at the end. */
function assembleRule({ call, when = [], error }: FilterRule): readonly Instruction[] {
  const conditions = when.map(assembleCondition);
  const checks = conditions.flat();
  const body: Instruction[] = [];
  for (const instruction of checks) {
    // A condition that does not hold jumps behind the refusal.
    const left = checks.length - body.length;
    const fail = (jump: number): number => (jump === failed ? left : jump);
    body.push({ ...instruction, yes: fail(instruction.yes), no: fail(instruction.no) });
  }
  body.push(refuse(error));
  if (checks.length > 0) body.push(load(offsets.call));
  return [{ code: codes.jumpIfEqual, yes: 0, no: body.length, value: call }, ...body];
}

/** Replaced by the distance to the end of the rule. */
const failed = -1;

function assembleCondition(condition: ArgumentCondition): readonly Instruction[] {
  const first = load(offsets.arguments + 8 * condition.argument);
  if ('is' in condition) return [first, { code: codes.jumpIfEqual, yes: 0, no: failed, value: condition.is }];
  if ('any' in condition) {
    return [first, { code: codes.jumpIfAnyBit, yes: 0, no: failed, value: condition.any }];
  }
  return [first, ...condition.not.map((value) => ({ code: codes.jumpIfEqual, yes: failed, no: 0, value }))];
}

function load(offset: number): Instruction {
  return { code: codes.load, yes: 0, no: 0, value: offset };
}

function refuse(error: number): Instruction {
  return { code: codes.return, yes: 0, no: 0, value: 0x0005_0000 + error };
}

function toBytes({ code, yes, no, value }: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(yes, 2);
  bytes.writeUInt8(no, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
