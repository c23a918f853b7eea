import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ARCHITECTURES, type Architecture, REFUSED_CALLS, systemCallFilter } from './system-call-filter.ts';

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const EOPNOTSUPP = 0x0005005f;

/** The kernel's result: the program interpreted over one `struct seccomp_data`. */
function verdict(program: Buffer, audit: number, number: number, words: readonly number[] = []): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(audit >>> 0, 4);
  words.forEach((word, index) => data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(word)), 16 + 8 * index));
  let word = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const code = program.readUInt16LE(8 * at);
    const operand = program.readUInt32LE(8 * at + 4);
    const jump = (holds: boolean) => {
      at += program.readUInt8(8 * at + (holds ? 2 : 3));
    };
    if (code === 0x20) word = data.readUInt32LE(operand);
    else if (code === 0x54) word = (word & operand) >>> 0;
    else if (code === 0x15) jump(word === operand);
    else if (code === 0x35) jump(word >= operand);
    else if (code === 0x45) jump((word & operand) >>> 0 !== 0);
    else if (code === 0x06) return operand;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the program ended without an answer');
}

const named = Object.entries<Architecture>(ARCHITECTURES);

describe.each(named)('the filter on %s', (_, architecture) => {
  const program = systemCallFilter(architecture);
  const { audit, calls, foreignFrom } = architecture;
  const ask = (call: keyof typeof calls, ...words: number[]) => verdict(program, audit, calls[call] ?? -1, words);

  it('is a whole number of instructions, within what the kernel takes', () => {
    expect(program.length % 8).toBe(0);
    expect(program.length / 8).toBeLessThan(4096);
  });
  it.each(REFUSED_CALLS.filter((name) => calls[name] !== null))('refuses %s', (name) => {
    expect(ask(name)).toBe(EPERM);
  });
  it('ends a program of another architecture', () => {
    expect(verdict(program, 0x40000003, 1)).toBe(KILL);
  });
  it('refuses the calling convention that shares the architecture', () => {
    const first = foreignFrom ?? calls.clone3 ?? 0; // arm64 has no second one.
    expect(verdict(program, audit, first)).toBe(ENOSYS);
  });
  it('allows children and threads, but no namespaces', () => {
    expect(ask('clone', 0x11)).toBe(ALLOW);
    expect(ask('clone', 0x3d0f00)).toBe(ALLOW);
    for (const flag of [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000]) {
      expect(ask('clone', 0x11 | flag)).toBe(EPERM);
    }
    expect(ask('clone3')).toBe(ENOSYS);
  });
  it('allows no thread with its own descriptor table', () => {
    for (const flags of [0x10f00, 0x10d00 | 0x400]) expect(ask('clone', flags)).toBe(ALLOW);
    expect(ask('clone', 0x10b00)).toBe(EPERM);
    expect(ask('close_range', 3, 0xffffffff, 4)).toBe(ALLOW);
    for (const flags of [2, 6]) expect(ask('close_range', 3, 0xffffffff, flags)).toBe(EPERM);
  });
  it('allows the use of disk space only by writing', () => {
    for (const mode of [0, 1, 0x10]) expect(ask('fallocate', 3, mode, 0, 2 ** 31)).toBe(EOPNOTSUPP);
    for (const command of [0x40305828, 0x4030582a, 0x40305839, 0x401c5820]) {
      expect(ask('ioctl', 3, command)).toBe(EOPNOTSUPP);
    }
    expect(ask('ioctl', 3, 0x801c581f /* FS_IOC_FSGETXATTR */)).toBe(ALLOW);
  });
  it('has sockets of its own network namespace only', () => {
    for (const family of [2, 10, 16]) expect(ask('socket', family, 1)).toBe(ALLOW);
    for (const family of [0, 1, 17, 31, 38, 40]) expect(ask('socket', family, 1)).toBe(EPERM);
  });
  it('looks at the half of the argument that the kernel takes', () => {
    expect(ask('socket', 2 ** 32 + 1)).toBe(EPERM);
    expect(ask('ioctl', 0, 2 ** 32 + 0x5412)).toBe(EPERM);
  });
  it('pairs sockets that are connected for good', () => {
    for (const flags of [0, 0o2000000, 0o4000]) {
      expect(ask('socketpair', 1, 1 | flags)).toBe(ALLOW);
      expect(ask('socketpair', 1, 5 | flags)).toBe(ALLOW);
      expect(ask('socketpair', 1, 2 | flags)).toBe(EPERM);
    }
    expect(ask('socketpair', 2, 1)).toBe(EPERM);
  });
  it('types nothing into a terminal', () => {
    expect(ask('ioctl', 0, 0x5412)).toBe(EPERM);
    expect(ask('ioctl', 0, 0x541c)).toBe(EPERM);
    expect(ask('ioctl', 0, 0x5413)).toBe(ALLOW);
  });
  it('answers every call, and allows those it does not name', () => {
    const listed = new Set(Object.values(calls));
    fc.assert(
      fc.property(fc.nat(0x3fffffff), fc.array(fc.integer(), { maxLength: 6 }), (number, words) => {
        const given = verdict(program, audit, number, words);
        expect(listed.has(number) ? [ALLOW, EPERM, ENOSYS, EOPNOTSUPP] : [ALLOW]).toContain(given);
      }),
      { verbose: true },
    );
  });
});
