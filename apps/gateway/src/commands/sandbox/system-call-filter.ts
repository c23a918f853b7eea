/** One instruction of classic BPF (linux/filter.h): operation, jumps when true and when false, operand. */
type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, operand: number];

const LOAD_WORD = 0x20; // BPF_LD | BPF_W | BPF_ABS
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_ANY_BIT = 0x45;
const AND = 0x54;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const refuse = (errno: number): number => 0x00050000 | errno;
const NOT_PERMITTED = refuse(1); // EPERM
const NO_SUCH_CALL = refuse(38); // ENOSYS
const NOT_SUPPORTED = refuse(95); // EOPNOTSUPP

/** Offsets in `struct seccomp_data`. An argument's low half is what the kernel takes of an `int`. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number): number => 16 + 8 * index;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NAMESPACE_FLAGS = 0x7e020000;
const CLONE_THREAD = 0x10000;
const CLONE_FILES = 0x400;
const CLOSE_RANGE_UNSHARE = 2;
const UNIX = 1;
/** AF_INET, AF_INET6, AF_NETLINK: all of them see the sandbox's own network namespace and nothing else. */
const ALLOWED_FAMILIES = [2, 10, 16];
/** Without SOCK_NONBLOCK and SOCK_CLOEXEC. */
const SOCKET_TYPE = 0xf;
const DATAGRAM = 2;
/** Commands that put characters into a terminal's input (CVE-2017-5226, CVE-2023-28100). */
const TERMINAL_INPUT = [0x5412 /* TIOCSTI */, 0x541c /* TIOCLINUX */];
/** Commands equivalent to fallocate, or that set the allocation unit (linux/falloc.h, linux/fs.h). */
const ALLOCATION = [
  0x40305828 /* FS_IOC_RESVSP */, 0x4030582a /* FS_IOC_RESVSP64 */, 0x40305839 /* FS_IOC_ZERO_RANGE */,
  0x401c5820 /* FS_IOC_FSSETXATTR */,
];

const load = (offset: number): Instruction => [LOAD_WORD, 0, 0, offset];
const answer = (action: number): Instruction => [RETURN, 0, 0, action];
/** `then` when the loaded word equals the operand, else on. */
const when = (operand: number, then: readonly Instruction[]): readonly Instruction[] => [
  [JUMP_EQUAL, 0, then.length, operand],
  ...then,
];

/**
 * The sandbox's system call filter, as the bytes `bwrap --seccomp` reads.
 * Everything that is not refused is allowed: the namespaces and limits around it are the first wall, this is the second.
 */
export function systemCallFilter(architecture: Architecture): Buffer {
  const { audit, foreignFrom, calls } = architecture;
  const refused = REFUSED_CALLS.flatMap((name) => {
    const number = calls[name];
    return number === null ? [] : when(number, [answer(NOT_PERMITTED)]);
  });
  return encode([
    load(ARCHITECTURE),
    [JUMP_EQUAL, 1, 0, audit],
    answer(KILL),
    load(NUMBER),
    ...(foreignFrom === null ? [] : [[JUMP_AT_LEAST, 0, 1, foreignFrom] as const, answer(NO_SUCH_CALL)]),
    ...refused,
    // Its flags are behind a pointer that a filter cannot follow; without it the C library uses clone.
    ...when(calls.clone3 ?? 0, [answer(NO_SUCH_CALL)]),
    ...when(calls.clone ?? 0, [
      load(argument(0)),
      [JUMP_ANY_BIT, 0, 1, NAMESPACE_FLAGS],
      answer(NOT_PERMITTED),
      // A thread with its own descriptor table could have files open that the disk limit does not see.
      [JUMP_ANY_BIT, 0, 2, CLONE_THREAD],
      [JUMP_ANY_BIT, 1, 0, CLONE_FILES],
      answer(NOT_PERMITTED),
      answer(ALLOW),
    ]),
    ...when(calls.close_range ?? 0, [
      load(argument(2)),
      [JUMP_ANY_BIT, 0, 1, CLOSE_RANGE_UNSHARE],
      answer(NOT_PERMITTED),
      answer(ALLOW),
    ]),
    // It allocates all the disk space of a command in one call, before the disk watch runs. Programs then fall back to writing,
    // as on file systems without it, and the watch sees that.
    ...when(calls.fallocate ?? 0, [answer(NOT_SUPPORTED)]),
    ...when(calls.socket ?? 0, [
      load(argument(0)),
      ...ALLOWED_FAMILIES.flatMap((family) => when(family, [answer(ALLOW)])),
      answer(NOT_PERMITTED),
    ]),
    // A connected pair reaches no other socket, and interpreters need pairs for their children's pipes. A datagram pair could
    // still send to another address.
    ...when(calls.socketpair ?? 0, [
      load(argument(0)),
      [JUMP_EQUAL, 1, 0, UNIX],
      answer(NOT_PERMITTED),
      load(argument(1)),
      [AND, 0, 0, SOCKET_TYPE],
      ...when(DATAGRAM, [answer(NOT_PERMITTED)]),
      answer(ALLOW),
    ]),
    ...when(calls.ioctl ?? 0, [
      load(argument(1)),
      ...TERMINAL_INPUT.flatMap((command) => when(command, [answer(NOT_PERMITTED)])),
      ...ALLOCATION.flatMap((command) => when(command, [answer(NOT_SUPPORTED)])),
      answer(ALLOW),
    ]),
    answer(ALLOW),
  ]);
}

/** `struct sock_filter`, eight bytes each, little-endian. */
function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(8 * program.length);
  for (const [index, [code, whenTrue, whenFalse, operand]] of program.entries()) {
    const at = 8 * index;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(whenTrue, at + 2);
    bytes.writeUInt8(whenFalse, at + 3);
    bytes.writeUInt32LE(operand >>> 0, at + 4);
  }
  return bytes;
}

/** A supported processor: its audit number and the numbers of its system calls. */
export interface Architecture {
  /** `AUDIT_ARCH_…` of linux/audit.h. */
  readonly audit: number;
  /** Numbers from here on belong to another calling convention (x32), or null. */
  readonly foreignFrom: number | null;
  readonly calls: Readonly<Record<SystemCall, number | null>>;
}

/** Calls that are refused with any arguments: [x86-64, arm64]; null where the processor has none. */
const REFUSED = {
  // Looking into, or steering, other processes
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  // New namespaces and mounts
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  // Keyrings are counted per user of the host, not per namespace
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Ways around this filter, and wide openings of the kernel
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  fanotify_init: [300, 262],
  modify_ldt: [154, null],
  // It turns off the randomness of addresses, and makes what is mapped executable
  personality: [135, 92],
  uselib: [134, null],
  // The host itself
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  iopl: [172, null],
  ioperm: [173, null],
  acct: [163, 89],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  syslog: [103, 116],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  vhangup: [153, 58],
} as const satisfies Record<string, readonly [number | null, number | null]>;

/** Calls whose arguments decide. */
const INSPECTED = {
  clone: [56, 220],
  clone3: [435, 435],
  socket: [41, 198],
  socketpair: [53, 199],
  ioctl: [16, 29],
  fallocate: [285, 47],
  close_range: [436, 436],
} as const;

type RefusedCall = keyof typeof REFUSED;
type InspectedCall = keyof typeof INSPECTED;
type SystemCall = RefusedCall | InspectedCall;

export const REFUSED_CALLS = Object.keys(REFUSED) as readonly RefusedCall[];

function numbers(column: 0 | 1): Readonly<Record<SystemCall, number | null>> {
  const rows = Object.entries({ ...REFUSED, ...INSPECTED }).map(([name, columns]) => [name, columns[column]]);
  return Object.fromEntries(rows) as Record<SystemCall, number | null>;
}

/** By the name Node gives the processor (`process.arch`). Both are little-endian and pass `clone` flags first. */
export const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: { audit: 0xc000003e, foreignFrom: 0x40000000, calls: numbers(0) },
  arm64: { audit: 0xc00000b7, foreignFrom: null, calls: numbers(1) },
};
