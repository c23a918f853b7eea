import { AUTHOR, type Entry, PUBLIC_KEY } from '../context/entry.ts';

/** The authorization policy and the license. */
export const POLICY_COMMANDS: readonly Entry[] = [
  {
    usage: 'policy check <file>',
    description: 'say whether a policy set may be installed, and where it is wrong',
    run: async (context, [file = '']) => (await import('../commands/policy.ts')).runPolicyCheck(context, file),
  },
  {
    usage: 'policy explain <subject> <permission> <resource>',
    description: 'say whether a subject may, and which policy refuses (endpoint:NAME, project:NAME or instance)',
    options: [
      ['--file <file>', 'ask this policy set instead of the one in force'],
      ['--session <session>', 'the agent session the call would name'],
      ['--method <method>', 'its HTTP method', 'POST'],
      ['--path <path>', 'its target, with its query'],
      ['--source-address <address>', 'the address it would come from', '127.0.0.1'],
      ['--at <instant>', 'the time it would be made (default: now)'],
    ],
    run: async (context, args, options) =>
      (await import('../commands/policy.ts')).runPolicyExplain(context, args, options),
  },
  {
    usage: 'policy install <file>',
    description: 'put a policy set in force, as the console does',
    options: [AUTHOR],
    run: async (context, [file = ''], options) =>
      (await import('../commands/policy.ts')).runPolicyInstall(context, file, options),
  },
  {
    usage: 'policy lift',
    description: 'lift every restriction: put a revision without any policy in force',
    options: [AUTHOR],
    run: async (context, _, options) => (await import('../commands/policy.ts')).runPolicyLift(context, options),
  },
  {
    usage: 'policy show',
    description: 'print the authorization policy in force',
    run: async (context) => (await import('../commands/policy.ts')).runPolicyShow(context),
  },
  {
    usage: 'license issue',
    description: "sign a license with the vendor's private key",
    required: [
      ['--licensee <name>', 'who it is for'],
      ['--deployment <name>', 'which deployment of theirs'],
      ['--signing-key <file>', "the vendor's Ed25519 private key (PEM)"],
    ],
    options: [
      ['--seats <number>', 'subjects served in a month, or unlimited', 'unlimited'],
      ['--capability <name...>', 'inference, agent-execution, workstation-control (default: all)'],
      ['--days <number>', 'how long it runs from now', '365'],
      ['--grace-days <number>', 'how long everything is still served after its end', '14'],
    ],
    run: async (context, _, options) => (await import('../commands/license.ts')).runLicenseIssue(context, options),
  },
  {
    usage: 'license show [file]',
    description: 'print a license and its state',
    options: [PUBLIC_KEY],
    run: async (context, [file], options) =>
      (await import('../commands/license.ts')).runLicenseShow(context, file, options),
  },
  {
    usage: 'license verify [file]',
    description: 'say whether a gateway of this build would start with a license',
    options: [PUBLIC_KEY],
    run: async (context, [file], options) =>
      (await import('../commands/license.ts')).runLicenseVerify(context, file, options),
  },
];
