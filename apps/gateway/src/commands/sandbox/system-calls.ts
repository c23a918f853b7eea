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

export type RefusedCall = keyof typeof REFUSED;
export type InspectedCall = keyof typeof INSPECTED;
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
