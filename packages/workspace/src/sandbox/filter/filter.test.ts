import { expect, test } from 'vitest';
import { assembleFilter } from './assemble.ts';
import { systemCallFilter } from './filter.ts';

const audit = 0xc000_003e;
const allowed = 0x7fff_0000;
const refusedWith = (error: number): number => 0x0005_0000 + error;

/** Runs a BPF program as the kernel does, on a call. */
function run(program: Buffer, call: number, args: readonly number[] = [], architecture = audit): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call, 0);
  data.writeUInt32LE(architecture, 4);
  for (const [index, argument] of args.entries()) data.writeUInt32LE(argument, 16 + 8 * index);
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const code = program.readUInt16LE(8 * at);
    const [yes, no, value] = [
      program.readUInt8(8 * at + 2),
      program.readUInt8(8 * at + 3),
      program.readUInt32LE(8 * at + 4),
    ];
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    if (code === 0x15) at += accumulator === value ? yes : no;
    if (code === 0x35) at += accumulator >= value ? yes : no;
    if (code === 0x45) at += (accumulator & value) === 0 ? no : yes;
  }
  throw new Error('the program has no end');
}

test('a rule applies if all of its conditions hold', () => {
  const program = assembleFilter({ audit, end: 0x4000_0000 }, [
    {
      call: 1,
      when: [
        { argument: 0, any: 6 },
        { argument: 1, is: 7 },
      ],
      error: 1,
    },
    { call: 1, when: [{ argument: 2, not: [0, 3] }], error: 2 },
    { call: 2, error: 3 },
  ]);
  expect(run(program, 1, [2, 7])).toBe(refusedWith(1));
  expect(run(program, 1, [1, 7])).toBe(allowed);
  expect(run(program, 1, [2, 8])).toBe(allowed);
  expect(run(program, 1, [0, 0, 3])).toBe(allowed);
  expect(run(program, 1, [0, 0, 4])).toBe(refusedWith(2));
  expect(run(program, 2)).toBe(refusedWith(3));
  expect(run(program, 3)).toBe(allowed);
});

test('calls of another instruction set, and of x32, do not exist', () => {
  const program = assembleFilter({ audit, end: 0x4000_0000 }, []);
  expect(run(program, 1, [], 0x4000_0003)).toBe(refusedWith(38));
  expect(run(program, 0x4000_0001)).toBe(refusedWith(38));
  expect(run(program, 1)).toBe(allowed);
});

test('the filters of both processors refuse keys, namespaces and set-user-id files', () => {
  const filters = [
    { program: systemCallFilter('x64'), architecture: audit, ioctl: 16, unshare: 272, openat: 257, read: 0 },
    {
      program: systemCallFilter('arm64'),
      architecture: 0xc000_00b7,
      ioctl: 29,
      unshare: 97,
      openat: 56,
      read: 63,
    },
  ];
  for (const { program = Buffer.alloc(0), architecture, ioctl, unshare, openat, read } of filters) {
    const call = (number: number, ...args: readonly number[]): number =>
      run(program, number, args, architecture);
    expect(call(ioctl, 0, 0x5412)).toBe(refusedWith(1));
    expect(call(ioctl, 0, 0x5413)).toBe(allowed);
    expect(call(unshare, 0x1000_0000)).toBe(refusedWith(1));
    expect(call(openat, 0, 0, 0x41, 0o4755)).toBe(refusedWith(1));
    expect(call(openat, 0, 0, 0x41, 0o755)).toBe(allowed);
    expect(call(read)).toBe(allowed);
  }
  expect(systemCallFilter('ia32')).toBeUndefined();
});
